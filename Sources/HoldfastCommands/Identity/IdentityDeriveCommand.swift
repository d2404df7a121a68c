import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity derive`
enum IdentityDeriveCommand: IdentityCommand {
  typealias Operation = IdentityDerive

  static let place = Command(
    "derive", "Make an identity from another account of known words",
    discussion: """
      The new identity has its own key, derived from the same words (NIP-06: m/44'/1237'/ACCOUNT'/0/0). Anybody with the words \
      has all of these keys.
      """,
    arguments: [
      Argument("from", "An identity that came from the words", completion: .names("identities")), IdentityArguments.newName,
    ],
    options: [.value("account", "N", "Which account, from 0 (default: the one after the highest used here)")]
      + IdentityArguments.wordsPassphrase
      + IdentityArguments.keeping,
    examples: [Example("holdfast identity derive alice work", "an identity named work from the next account of alice's words")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityDerive.Request {
    var request = IdentityDerive.Request()
    request.from = line.needed("from")
    request.identity = try IdentityDraft(line)
    request.account = try IdentityArguments.account(line)
    return request
  }

  static func complete(_ request: inout IdentityDerive.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try IdentityArguments.proofIfShown(line)
    request.wordsPassphrase = try IdentityArguments.readWordsPassphrase(line)
  }
}
