import CommandLine
import Testing

@testable import HoldfastCommands

/// Errors repeat the word that is wrong, and never a secret.
@Suite struct WrongWordTests {
  private static func said(_ sentence: String, _ words: String, exit: ExitCode = .usage) -> String {
    let words = words.split(separator: " ").map(String.init)
    return WrongWord(ArgumentParser.holdfast.beginning(of: words), words).naming(CommandError(exit, sentence)).error
  }

  @Test(
    "An error says which word is wrong",
    arguments: [
      ("There is no identity of that name.", "identity show bob", "There is no identity of that name: “bob”."),
      ("There is no identity of that name.", "pair --identity bob", "There is no identity of that name: “bob”."),
      (
        "No waiting request has that id. It may be gone.", "request approve abcd",
        "No waiting request has that id: “abcd”. It may be gone."
      ),
      ("--kind takes a number.", "log show --kind x", "--kind takes a number, not “x”."),
      ("--kind takes a number.", "log show --kind=x", "--kind takes a number, not “x”."),
      ("TRUST must be full, medium or low.", "client trust a hi --home /x", "TRUST must be full, medium or low, not “hi”."),
    ])
  func namesTheWord(sentence: String, words: String, said: String) { #expect(Self.said(sentence, words) == said) }

  @Test(
    "An error repeats no word that may be a secret, and none of several",
    arguments: [
      ("There is no identity of that name.", "identity show nsec1abc"),
      ("There is no identity of that name.", "identity show " + String(repeating: "a", count: 64)),
      ("No waiting request has that id.", "request approve abcd efab"),
      ("--relay takes an address.", "pair --relay a --relay b"),
      ("--passphrase-fd takes a number.", "status --passphrase-fd hunter2"),
      ("Something else is wrong.", "identity show bob"),
    ])
  func repeatsNoSecret(sentence: String, words: String) { #expect(Self.said(sentence, words) == sentence) }
}
