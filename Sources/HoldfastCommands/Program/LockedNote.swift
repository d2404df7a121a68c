import CommandLine
import LocalAccess
import OwnerAPI
import OwnerWords
import Signer

/// What is said after a change that an app notices only once the signer is unlocked.
enum LockedNote {
  /// - Returns: nil if no signer runs, or if it is unlocked.
  static func text(_ line: Invocation) -> String? {
    guard let result = try? askDaemonWhole(StatusShow.call(Nothing()), home(line)), let status = try? StatusShow.answer(result),
      status.lock.isLocked, !status.lock.isSuspended
    else { return nil }
    return "The signer is locked. Requests that need a key wait until you unlock it: holdfast unlock"
  }

  /// Refuses, before anything secret is asked, what a running signer cannot do while it is locked.
  static func refuseWhileLocked(_ line: Invocation) throws(CommandError) {
    if text(line) != nil { throw CommandError(.unlockFirst) }
  }
}
