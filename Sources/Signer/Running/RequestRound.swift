package import AuditLog
import Platform

/// Handles the requests that were read together on the thread that read them, and writes their records there, so that no other thread has
/// to wake up: all are decided, their records are written, their answers are prepared while the disk is at work, and are sent after the sync.
package final class RequestRound: Sendable {
  /// The longest last sync, in nanoseconds, with which the reading thread waits for the next one itself.
  package static let quickSync: UInt64 = 1_000_000
  /// How long ago that sync may be, in nanoseconds. A disk that was idle for longer may have to wake up.
  package static let freshSync: UInt64 = 2_000_000_000

  private struct Preparation: Sendable { let run: @Sendable () -> Void }

  private let log: AuditLog
  private let quickSync, freshSync: UInt64
  /// What is to be done while the disk is at work. Nil outside of a round.
  private let preparing = Locked<[Preparation]?>(nil)

  /// A round that writes to this log.
  package init(_ log: AuditLog, quickSync: UInt64 = RequestRound.quickSync, freshSync: UInt64 = RequestRound.freshSync) {
    (self.log, self.quickSync, self.freshSync) = (log, quickSync, freshSync)
  }

  /// Runs the jobs. Call it on the reading thread.
  /// - Returns: false, and runs none, when the disk is slow or the log busy.
  func run(_ jobs: [@Sendable () -> Void]) -> Bool {
    guard log.beginRound(ifSyncedIn: quickSync, inTheLast: freshSync) else { return false }
    preparing.withLock { $0 = [] }
    for job in jobs { job() }
    log.writeRound()
    let preparations = preparing.withLock { preparing in
      defer { preparing = nil }
      return preparing ?? []
    }
    for preparation in preparations { preparation.run() }
    log.endRound()
    return true
  }

  /// Prepares an answer when the records of the round are written, or now outside of a round. Call it on the reading thread.
  func whenWritten(_ prepare: @escaping @Sendable () -> Void) {
    let waits = preparing.withLock { preparing in
      preparing?.append(Preparation(run: prepare))
      return preparing != nil
    }
    if !waits { prepare() }
  }
}
