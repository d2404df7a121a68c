import CommandLine
import CredentialOptions
import OwnerAPI
import OwnerOperations
import OwnerWords
import TerminalUI

/// What a running signer says of its lock, so that nobody types a passphrase for nothing.
enum LockFacts {
  /// - Returns: nil when the command names its credential, or no signer runs.
  /// - Throws: for a trial, whose passphrase nobody knows.
  static func beforeAsking(_ line: Invocation) throws(CommandError) -> LockState? {
    guard !CredentialSource.isNamed(in: line), let result = try askDaemonWhole(StatusShow.call(Nothing()), home(line)) else {
      return nil
    }
    let status = try StatusShow.answer(result)
    guard status.isTrial else { return status.lock }
    throw CommandError(status.lock.isSuspended ? OperationError.trialIsShut : .trialIsNeverLocked)
  }
}
