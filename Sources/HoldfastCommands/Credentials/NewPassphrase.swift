import CommandLine
import SecretMemory
import TerminalUI

/// A passphrase or password that is to be used from now on, the same way wherever one is made: twice; of
/// one that is plainly weak its owner is told, and a person at the terminal is asked whether it shall be.
enum NewPassphrase {
  /// How often a person may change his mind about a weak one.
  private static let attempts = 5

  /// Asks for it on the terminal.
  static func ask(_ question: String = "New passphrase: ") throws(SecretInputError) -> SecretBytes {
    var left = attempts
    while true {
      left -= 1
      let entered = try SilentPrompt().askTwice(question, again: "The same again: ")
      guard let remark = entered.withBytes({ PassphraseRemark.text(for: $0) }) else { return entered }
      Output.warning("Note: " + remark)
      guard Terminal.isInput, left > 0 else { return entered }
      if PlainInput.confirms("Take it all the same?") { return entered }
    }
  }

  /// From a file, where one is named; else it is asked for.
  /// - Parameter what: the subject of an error: `The new passphrase`.
  static func read(
    _ what: String, file: String?, question: String = "New passphrase: ", isQuiet: Bool
  ) throws(CommandError) -> SecretBox {
    guard let file else { return try secret(what) { () throws(SecretInputError) in try ask(question) } }
    let found = try secret(what) { () throws(SecretInputError) in try SecretInput.read(file: file) }
    if let remark = found.withBytes({ PassphraseRemark.text(for: $0) }), !isQuiet { Output.warning("Note: " + remark) }
    return found
  }
}
