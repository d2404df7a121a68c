package import CommandLine
package import SecretMemory
import TerminalUI

/// The recovery code of a kit. SLIP-39 calls it passphrase. Some kits need it in addition to their shares.
package enum RecoveryCode {
  /// The code of an existing kit: from a file, asked for because of `--recovery-code`, or asked of the person who typed the
  /// shares, who may have none.
  /// - Parameter isAsked: whether a person at the terminal typed the shares, and the kit may have a code.
  /// - Returns: nil for a kit without one.
  package static func read(_ invocation: Invocation, isAsked: Bool) throws(CommandError) -> SecretBox? {
    if let file = invocation.value("recovery-code-file") {
      return try secret("The recovery code") { () throws(SecretInputError) in try SecretInput.read(file: file) }
    }
    if invocation.has("recovery-code") {
      return try secret("The recovery code") { () throws(SecretInputError) in try SilentPrompt().ask("Recovery code: ") }
    }
    return isAsked ? try askIfAny("Recovery code (press Enter if the kit has none): ") : nil
  }

  /// - Returns: nil if only Enter is pressed.
  package static func askIfAny(_ question: String) throws(CommandError) -> SecretBox? {
    do throws(SecretInputError) { return SecretBox(try SilentPrompt().ask(question)) } catch .empty { return nil } catch {
      throw CommandError(error, what: "The recovery code")
    }
  }

  /// The code of a new kit.
  /// - Returns: nil if none is wanted.
  package static func new(_ invocation: Invocation) throws(CommandError) -> SecretBox? {
    let file = invocation.value("new-recovery-code-file")
    guard file != nil || invocation.has("new-recovery-code") else { return nil }
    return try secret("The recovery code") { () throws(SecretInputError) in
      if let file { return try SecretInput.read(file: file) }
      return try SilentPrompt(stopped: "No kit was made.").askTwice("New recovery code: ", again: "Repeat it: ")
    }
  }
}
