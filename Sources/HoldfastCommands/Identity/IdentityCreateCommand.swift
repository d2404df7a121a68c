import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity create`
enum IdentityCreateCommand: OwnerCommand {
  typealias Operation = IdentityCreate

  static let place = Command(
    "create", "Create a new identity",
    discussion: """
      Makes new words (BIP-39) and the key of their account 0 (NIP-06). The vault keeps the words, encrypted. Write them down \
      with 'holdfast identity export NAME --format mnemonic --unencrypted'. Holdfast does not keep a words passphrase (the "25th word"): \
      without it the words do not give the key.
      """,
    arguments: [IdentityArguments.newName],
    options: [
      .value("words", "N", "How many words: 12, 15, 18, 21 or 24 (12)", completion: .words(["12", "15", "18", "21", "24"]))
    ] + IdentityArguments.wordsPassphrase + IdentityArguments.keeping,
    examples: [
      Example("holdfast identity create alice", "a new key named alice"),
      Example("holdfast identity create work --words 24 --colour teal", "24 words, and a colour"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityCreate.Request {
    var request = IdentityCreate.Request()
    request.identity = try IdentityDraft(line)
    request.wordCount = line.value("words").flatMap { Int64($0) }
    return request
  }

  static func complete(_ request: inout IdentityCreate.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try IdentityArguments.proof(line)
    request.wordsPassphrase = try IdentityArguments.readWordsPassphrase(line, isNew: true)
  }

  static func next(_ answer: IdentitySummary, _ line: Invocation) -> String? { NextSteps.afterIdentity(answer, line) }

  static func text(_ answer: IdentitySummary, _ reader: Reader) -> String { IdentityText.text(answer, colors: reader.colors) }
}
