import CommandLine
import LocalAccess
import OwnerAPI
import OwnerOperations
import OwnerWords
import Signer

/// What is said after a change that an app notices only once the signer is unlocked.
enum LockedNote {
  /// - Returns: nil if no signer runs, or if it is unlocked.
  static func text(_ line: Invocation) -> String? {
    guard let lock = lock(line), lock.isLocked, !lock.isSuspended else { return nil }
    return "The signer is locked. Requests that need a key wait until you unlock it: holdfast unlock"
  }

  /// Whether the running signer refuses changes that allow an app more, because it is locked or locked down.
  static func isShut(_ line: Invocation) -> Bool { lock(line).map { $0.isLocked || $0.isSuspended } ?? false }

  /// Whether a signer runs and is locked.
  static func isLocked(_ line: Invocation) -> Bool { lock(line)?.isLocked == true }

  /// The error for what needs a key, in the signer's words. Nil if no signer runs, or if it is unlocked.
  static func refusal(_ line: Invocation) -> CommandError? {
    guard let status = status(line), status.lock.isLocked || status.lock.isSuspended else { return nil }
    guard status.lock.isSuspended else { return CommandError(.unlockFirst) }
    return CommandError(status.isTrial ? OperationError.trialIsShut : .lockedDown)
  }

  private static func lock(_ line: Invocation) -> LockState? { status(line)?.lock }

  private static func status(_ line: Invocation) -> StatusShow.Response? {
    (try? askDaemonWhole(StatusShow.call(Nothing()), home(line))).flatMap { try? StatusShow.answer($0) }
  }

  /// Refuses, before anything secret is asked, what a running signer cannot do while it is locked.
  static func refuseWhileLocked(_ line: Invocation) throws(CommandError) {
    if text(line) != nil { throw CommandError(.unlockFirst) }
  }
}
