internal import AuditLog
internal import Identities
internal import Platform
internal import Relays
internal import RemoteSigning
internal import Signer
internal import Vault

/// Looks at every part of the running signer. A look costs some microseconds and a few system calls; make it on a worker.
final class Observer: Sendable {
  private let core: Core
  private let hub: RelayHub
  private let workers: Workers
  private let checkpoint: CheckpointFile?
  private let backups: Backups
  private let startedAt = Clock.boot

  init(core: Core, backups: Backups, hub: RelayHub, workers: Workers, checkpoint: CheckpointFile?) {
    (self.core, self.backups, self.hub, self.workers, self.checkpoint) = (core, backups, hub, workers, checkpoint)
  }

  /// Seconds since the start.
  var uptime: Int64 { Clock.boot - startedAt }

  func look() -> Observation {
    let plan = try? backups.records.plan()
    return Observation(
      counters: core.meters.counts, relays: hub.observedRelays, embedded: hub.observedClients,
      connections: hub.endpoint.connections, monotonic: Clock.monotonicMilliseconds,
      identities: core.identities.all.count, pairings: core.engine.pairings.count, links: core.engine.openLinks.count,
      waiting: core.engine.pendingRequests.count, queued: workers.waiting, logEntries: core.log.count,
      logBytes: FileSystem.bytes(in: core.home.log), freeDiskBytes: FileSystem.freeBytes(at: core.home.path),
      memoryKiB: residentKiB(), uptime: uptime, isLocked: core.sessionLock.isLocked, isSuspended: core.sessionLock.isSuspended,
      now: Clock.seconds, backupFailures: plan?.failures ?? 0, lastBackup: plan?.lastDone,
      isVaultDamaged: core.damagedView != nil,
      isCheckpointFailing: checkpoint?.isFailing ?? false, isRetentionFailing: core.isRetentionFailing,
      isLogHeadFailing: core.log.isHeadFailing)
  }
}
