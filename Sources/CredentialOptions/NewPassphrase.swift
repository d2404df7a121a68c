package import CommandLine
import Mnemonics
import OwnerOperations
package import SecretMemory
package import TerminalUI

/// Reads a new passphrase or password in the same way everywhere: it is judged once it was typed, and typed again if it is wanted all the
/// same. Who types nothing gets one that is made of random words. No question about it is answered where the terminal shows what is typed. A passphrase opens the vault, a password an exported key (NIP-49).
package enum NewPassphrase {
  /// How often a person may replace a weak one.
  private static let attempts = 5

  /// Asks for it on the terminal.
  /// - Parameters:
  ///   - word: what it is called in a remark.
  ///   - shortest: in bytes. A shorter one is not taken.
  ///   - stopped: the state things are in, for somebody who stops instead of typing it.
  package static func ask(
    _ question: String = "New passphrase: ", word: String = "passphrase", shortest: Int = 1, stopped: String
  ) throws(SecretInputError) -> SecretBytes {
    let prompt = try SilentPrompt(stopped: stopped)
    Output.warning("Type a new \(word), or press Enter for one that is made of \(RandomWords.count) random words.")
    for left in (0..<attempts).reversed() {
      guard let first = try typed(question, prompt) else { return try made(word, prompt) }
      guard first.count >= shortest || left == 0 else {
        Output.warning("It is too short. Type at least \(shortest) characters.")
        continue
      }
      // Judged before it is typed again. The answer is that it is typed again or not: whoever types it anew instead of an answer shows nothing.
      let remark = remark(on: first, word)
      if let remark { Output.warning("Note: " + remark) }
      let second = try typed(
        remark == nil ? "Repeat it: " : "Repeat it to use it anyway, or press Enter for another one: ", prompt)
      var isOther = remark == nil
      if let second {
        if first.equals(second) { return first }
        isOther = true
      }
      if isOther, left > 0 { Output.warning("The two entries differ. Enter both again.") }
    }
    throw .entriesDiffer
  }

  /// Makes one, shows it, and lets the person repeat it, which shows that it was kept.
  private static func made(_ word: String, _ prompt: borrowing SilentPrompt) throws(SecretInputError) -> SecretBytes {
    let made: SecretBytes
    do {
      let phrase = try RandomWords.phrase()
      Output.warning("This \(word) was made for you. Write it down now: it is not shown again.")
      prompt.show(phrase)
      made = try phrase.duplicate()
    } catch { throw .outOfMemory }
    for _ in 0..<attempts {
      if let second = try typed("Repeat it: ", prompt), made.equals(second) { return made }
      Output.warning("That is not what stands above. Type all \(RandomWords.count) words, with a space between two.")
    }
    throw .entriesDiffer
  }

  /// - Returns: nil for an empty line.
  private static func typed(_ question: String, _ prompt: borrowing SilentPrompt) throws(SecretInputError) -> SecretBytes? {
    do throws(SecretInputError) { return try prompt.ask(question) } catch {
      guard error == .empty else { throw error }
      return nil
    }
  }

  /// Reads it from a file if one is named, or asks for it.
  /// - Parameters:
  ///   - what: the subject of an error: `The new passphrase`.
  ///   - option: the option that names the file, without dashes.
  ///   - word: what it is called in a remark.
  ///   - shortest: in bytes. A shorter one is not taken on the terminal.
  ///   - stopped: the state things are in, for somebody who stops instead of typing it.
  package static func read(
    _ what: String, option: String = "new-passphrase-file", of line: Invocation, question: String = "New passphrase: ",
    word: String = "passphrase", shortest: Int = 1, stopped: String = "Nothing was changed."
  ) throws(CommandError) -> SecretBox {
    guard let file = line.value(option) else {
      return try secret(what, option: option) { () throws(SecretInputError) in
        try ask(question, word: word, shortest: shortest, stopped: stopped)
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
