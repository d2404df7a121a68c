import AuditLog
import Identities
import RemoteSigning

/// The state of an opened home in numbers: how much it holds, and what fails. It names no app, key or person.
package struct HomeFigures: Sendable {
  package let counters: Counters
  package let identities, pairings, links: Int
  /// Requests that wait for the owner.
  package let waiting: Int
  package let logEntries: UInt64
  package let logBytes: Int64
  /// Free for the owner on the disk of the home's folder; nil when the system does not report it.
  package let freeDiskBytes: Int64?
  package let isLocked, isSuspended, isVaultDamaged: Bool
  /// Whether old log content could not be dropped the last time.
  package let isRetentionFailing: Bool
  /// Whether the log's head could not be written the last time.
  package let isLogHeadFailing: Bool
}

extension OpenedHome {
  /// Costs a few system calls.
  package var figures: HomeFigures {
    HomeFigures(
      counters: meters.counts, identities: identities.all.count, pairings: engine.pairings.count,
      links: engine.openLinks.count, waiting: engine.pendingRequests.count, logEntries: log.count,
      logBytes: FileSystem.bytes(in: folder.log), freeDiskBytes: FileSystem.freeBytes(at: folder.path),
      isLocked: sessionLock.isLocked, isSuspended: sessionLock.isSuspended, isVaultDamaged: damagedView != nil,
      isRetentionFailing: isRetentionFailing, isLogHeadFailing: log.isHeadFailing)
  }
}
