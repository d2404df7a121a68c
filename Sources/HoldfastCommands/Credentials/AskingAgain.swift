import CommandLine
import CredentialOptions
import OwnerAPI
import Platform
import SecretMemory
import TerminalUI

/// How often a passphrase may be typed in one command.
private let attempts = 3
/// The longest wait before the next attempt, in seconds. If it is longer, the command ends.
private let longestWait = 10

/// Runs a step that needs the passphrase. If the passphrase was typed and is wrong, says so and runs the step again, so that the next one
/// is not typed into the shell.
/// - Parameter step: gets whether it runs again.
func askingAgain<Result>(
  _ line: Invocation, _ step: (_ again: Bool) throws(CommandError) -> Result
) throws(CommandError) -> Result {
  for attempt in 1..<attempts {
    do throws(CommandError) { return try step(attempt > 1) } catch {
      guard let wait = error.tryAgainIn, wait <= longestWait, try isPassphraseTyped(line) else { throw error }
      Output.warning(printable(error.error, limit: 600))
      sleep(UInt32(wait))
    }
  }
  return try step(true)
}

/// Whether a person types the passphrase for a command line.
func isPassphraseTyped(_ line: Invocation) throws(CommandError) -> Bool {
  guard !line.has("json"), case .passphrase(.terminal) = try credentialSources(line).first else { return false }
  return Terminal.isInput
}

extension ControlRequest {
  /// The same with the passphrase asked for anew, if the request brings it. If not, whoever opens the vault asks.
  /// - Parameter opened: what the passphrase opens.
  func withPassphraseTypedAgain(for opened: String) throws(CommandError) -> ControlRequest {
    guard secrets["passphrase"] != nil else { return self }
    let typed = try secret("The passphrase") { () throws(SecretInputError) in try PassphraseSource.terminal.read(for: opened) }
    return ControlRequest(operation, parameters, secrets: secrets.merging(["passphrase": typed]) { _, new in new })
  }
}
