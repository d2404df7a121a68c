import AuditLog
import Identities
import Platform
import RemoteSigning
package import Signer
import Vault

/// Observes every part of the running signer. An observation costs some microseconds and a few system calls; make it on a worker.
package final class Observer: Sendable {
  /// What parts outside the opened home tell.
  package struct Sources: Sendable {
    let relays: @Sendable () -> [Observation.Relay]
    let embedded: @Sendable () -> Observation.Embedded?
    let connections: @Sendable () -> Observation.Connections
    let backups: @Sendable () -> Backups

    /// - Parameters:
    ///   - relays: that are somewhere else.
    ///   - embedded: clients of the embedded relay; nil without one.
    ///   - connections: of the port.
    ///   - backups: how the planned ones went.
    package init(
      relays: @escaping @Sendable () -> [Observation.Relay], embedded: @escaping @Sendable () -> Observation.Embedded?,
      connections: @escaping @Sendable () -> Observation.Connections, backups: @escaping @Sendable () -> Backups
    ) {
      (self.relays, self.embedded, self.connections, self.backups) = (relays, embedded, connections, backups)
    }
  }

  /// How planned backups went.
  package struct Backups: Sendable {
    let failures: Int64
    let isFailing: Bool
    let last: Int64?

    /// - Parameters:
    ///   - failures: since the last that went well.
    ///   - isFailing: whether they failed so often that the owner is told.
    ///   - last: when the last went well, seconds since 1970.
    package init(failures: Int64 = 0, isFailing: Bool = false, last: Int64? = nil) {
      (self.failures, self.isFailing, self.last) = (failures, isFailing, last)
    }
  }

  private let core: Core
  private let workers: Workers
  private let checkpoint: CheckpointFile?
  private let sources: Sources
  private let startedAt = Clock.boot

  package init(core: Core, workers: Workers, checkpoint: CheckpointFile?, _ sources: Sources) {
    (self.core, self.workers, self.checkpoint, self.sources) = (core, workers, checkpoint, sources)
  }

  /// Seconds since the start.
  var uptime: Int64 { Clock.boot - startedAt }

  package func look() -> Observation {
    let backups = sources.backups()
    return Observation(
      counters: core.meters.counts, relays: sources.relays(), embedded: sources.embedded(),
      connections: sources.connections(), monotonic: Clock.monotonicMilliseconds,
      identities: core.identities.all.count, pairings: core.engine.pairings.count, links: core.engine.openLinks.count,
      waiting: core.engine.pendingRequests.count, queued: workers.waiting, logEntries: core.log.count,
      logBytes: FileSystem.bytes(in: core.home.log), freeDiskBytes: FileSystem.freeBytes(at: core.home.path),
      memoryKiB: ResidentMemory.kibibytes(), uptime: uptime, isLocked: core.sessionLock.isLocked,
      isSuspended: core.sessionLock.isSuspended,
      now: Clock.seconds, backupFailures: backups.failures, isBackupFailing: backups.isFailing, lastBackup: backups.last,
      isVaultDamaged: core.damagedView != nil,
      isCheckpointFailing: checkpoint?.isFailing ?? false, isRetentionFailing: core.isRetentionFailing,
      isLogHeadFailing: core.log.isHeadFailing)
  }
}
