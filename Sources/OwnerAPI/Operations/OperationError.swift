/// Why an operation failed: what happened, what to do next, and the exit code.
public struct OperationError: Error, Sendable, Hashable {
  /// The exit codes of the command line.
  public enum Exit: Int, Sendable { case failed = 1, usage = 2, locked = 3, denied = 4, notFound = 5 }

  /// The exit code, for scripts.
  public let exit: Exit
  /// What happened, in one line. Never contains a secret or unescaped untrusted text.
  public let error: String
  /// What to do next.
  public let hint: String?
  /// Whether the reason is a damaged vault.
  package var isDamage = false
  /// For a passphrase that was typed wrongly: after how many seconds it may be typed again. Nil for all other reasons.
  package var tryAgainIn: Int?
  /// Whether it was not even tried, because it came before that time.
  package var isTooSoon = false
  /// Whether the same call goes through once the signer is unlocked, so that a page may ask for the credential and call again.
  package var wantsUnlocking = false

  /// The same error, for a call that goes through once the signer is unlocked, or not.
  package func wantingUnlocking(_ isWanted: Bool) -> OperationError {
    var error = self
    error.wantsUnlocking = isWanted
    return error
  }

  /// A failure, in words.
  public init(_ exit: Exit, _ error: String, hint: String? = nil) { (self.exit, self.error, self.hint) = (exit, error, hint) }

  package static func usage(_ error: String, hint: String? = nil) -> OperationError { OperationError(.usage, error, hint: hint) }
  package static func failed(_ error: String, hint: String? = nil) -> OperationError {
    OperationError(.failed, error, hint: hint)
  }
  package static func notFound(_ error: String, hint: String? = nil) -> OperationError {
    OperationError(.notFound, error, hint: hint)
  }

  package static let noSuchOperation = usage("There is no operation of that name.")

  package static let notStored = OperationError(
    .failed, "The vault could not be written. Nothing was changed.",
    hint: "Check that the disk has space and the folder can be written, then try again.")

  package static let needsDaemon = OperationError(
    .failed, "This needs the running signer, and none runs on this home.", hint: "Start it with: holdfast up")
}
