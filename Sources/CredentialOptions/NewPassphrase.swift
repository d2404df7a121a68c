package import CommandLine
import OwnerOperations
package import SecretMemory
package import TerminalUI

/// Reads a new passphrase or password in the same way everywhere: it is typed twice, and the owner is told if it is clearly weak.
/// A person at the terminal is asked whether to use it anyway. A passphrase opens the vault, a password an exported key (NIP-49).
package enum NewPassphrase {
  /// How often a person may replace a weak one.
  private static let attempts = 5

  /// Asks for it on the terminal.
  /// - Parameters:
  ///   - word: what it is called in a remark.
  ///   - shortest: in bytes. A shorter one is not taken.
  package static func ask(
    _ question: String = "New passphrase: ", word: String = "passphrase", shortest: Int = 1
  ) throws(SecretInputError) -> SecretBytes {
    var left = attempts
    while true {
      left -= 1
      let entered: SecretBytes
      do throws(SecretInputError) { entered = try SilentPrompt().askTwice(question, again: "Repeat it: ") } catch {
        guard error == .empty, left > 0 else { throw error }
        Output.warning("It is empty. Type at least one character.")
        continue
      }
      guard entered.count >= shortest || left == 0 else {
        Output.warning("It is too short. Type at least \(shortest) characters.")
        continue
      }
      guard let remark = remark(on: entered, word) else { return entered }
      Output.warning("Note: " + remark)
      guard Terminal.isInput, left > 0 else { return entered }
      if PlainInput.confirms("Use it anyway?") { return entered }
    }
  }

  /// Reads it from a file if one is named, or asks for it.
  /// - Parameters:
  ///   - what: the subject of an error: `The new passphrase`.
  ///   - option: the option that names the file, without dashes.
  ///   - word: what it is called in a remark.
  ///   - shortest: in bytes. A shorter one is not taken on the terminal.
  package static func read(
    _ what: String, option: String = "new-passphrase-file", of line: Invocation, question: String = "New passphrase: ",
    word: String = "passphrase", shortest: Int = 1
  ) throws(CommandError) -> SecretBox {
    guard let file = line.value(option) else {
      return try secret(what, option: option) { () throws(SecretInputError) in
        try ask(question, word: word, shortest: shortest)
      }
    }
    let found = try secret(what) { () throws(SecretInputError) in try SecretInput.read(file: file) }
    if let remark = found.withBytes({ PassphraseRemark.text(for: $0) }), !line.has("json") {
      Output.warning("Note: " + remark.replacing("passphrase", with: word))
    }
    return found
  }

  private static func remark(on entered: borrowing SecretBytes, _ word: String) -> String? {
    entered.withBytes { PassphraseRemark.text(for: $0) }?.replacing("passphrase", with: word)
  }
}
