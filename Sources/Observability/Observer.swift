import Platform
package import Signer

/// Reads the numbers of every part of the running signer. An observation costs some microseconds and a few system calls; make it on a worker.
package final class Observer: Sendable {
  /// Where the numbers come from that this module cannot count itself.
  package struct Sources: Sendable {
    let home: @Sendable () -> HomeFigures
    let relays: @Sendable () -> [Observation.Relay]
    let embedded: @Sendable () -> Observation.Embedded?
    let connections: @Sendable () -> Observation.Connections
    let backups: @Sendable () -> Backups

    /// - Parameters:
    ///   - home: counts of the opened home.
    ///   - relays: relays outside this signer.
    ///   - embedded: clients of the embedded relay; nil without one.
    ///   - connections: connections of the port.
    ///   - backups: results of planned backups.
    package init(
      home: @escaping @Sendable () -> HomeFigures, relays: @escaping @Sendable () -> [Observation.Relay],
      embedded: @escaping @Sendable () -> Observation.Embedded?, connections: @escaping @Sendable () -> Observation.Connections,
      backups: @escaping @Sendable () -> Backups
    ) {
      (self.home, self.relays, self.embedded, self.connections, self.backups) = (home, relays, embedded, connections, backups)
    }
  }

  /// Results of planned backups.
  package struct Backups: Sendable {
    let failures: Int64
    let isFailing: Bool
    let last: Int64?

    /// - Parameters:
    ///   - failures: how many failed since the last one that succeeded.
    ///   - isFailing: whether they failed so often that the owner is told.
    ///   - last: when the last one succeeded, seconds since 1970.
    package init(failures: Int64 = 0, isFailing: Bool = false, last: Int64? = nil) {
      (self.failures, self.isFailing, self.last) = (failures, isFailing, last)
    }
  }

  private let workers: Workers
  private let checkpoint: CheckpointFile?
  private let sources: Sources
  private let startedAt = Clock.boot

  package init(_ sources: Sources, workers: Workers, checkpoint: CheckpointFile?) {
    (self.sources, self.workers, self.checkpoint) = (sources, workers, checkpoint)
  }

  /// Seconds since the start.
  var uptime: Int64 { Clock.boot - startedAt }

  package func look() -> Observation {
    let (home, backups) = (sources.home(), sources.backups())
    return Observation(
      counters: home.counters, relays: sources.relays(), embedded: sources.embedded(), connections: sources.connections(),
      monotonic: Clock.monotonicMilliseconds, identities: home.identities, pairings: home.pairings, links: home.links,
      waiting: home.waiting, queued: workers.waiting, logEntries: home.logEntries, logBytes: home.logBytes,
      freeDiskBytes: home.freeDiskBytes, memoryKiB: ResidentMemory.kibibytes(), uptime: uptime, isLocked: home.isLocked,
      isSuspended: home.isSuspended, now: Clock.seconds, backupFailures: backups.failures,
      isBackupFailing: backups.isFailing, lastBackup: backups.last, isVaultDamaged: home.isVaultDamaged,
      isCheckpointFailing: checkpoint?.isFailing ?? false, isRetentionFailing: home.isRetentionFailing,
      isLogHeadFailing: home.isLogHeadFailing)
  }
}
