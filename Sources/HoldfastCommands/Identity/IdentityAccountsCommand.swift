import CommandLine
import OwnerAPI

/// `holdfast identity accounts`
enum IdentityAccountsCommand: OwnerCommand {
  typealias Operation = IdentityAccounts

  static let place = Command(
    "accounts", "Find the accounts of an identity's words that were used",
    discussion: """
      Makes the public keys of accounts 0, 1, 2 … and asks relays which of them has published anything, until 20 in a row are unknown. \
      At a terminal it asks which of them to take; --take says so before. A taken one becomes an identity named NAME-NUMBER. Asked are \
      the relays given, else those the identity is known to use. They learn that somebody is interested in these keys together.
      """,
    arguments: [IdentityArguments.name],
    options: [.repeated("relay", "URL", "A relay to ask; may be given several times"), IdentityArguments.taking]
      + IdentityArguments.wordsPassphrase,
    examples: [
      Example("holdfast identity accounts alice --relay wss://relay.example.com", "which other keys did these words make?"),
      Example("holdfast identity accounts alice --take 2,5", "makes alice-2 and alice-5 if both were used"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityAccounts.Request {
    var request = IdentityAccounts.Request()
    request.identity = IdentityName(line.needed("name"))
    request.relays = try line.relays()
    return request
  }

  static func complete(_ request: inout IdentityAccounts.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try IdentityArguments.proofIfShown(line)
    request.wordsPassphrase = try IdentityArguments.readWordsPassphrase(line)
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    let found = try performWhole(IdentityAccounts.call(request), line)
    return try AccountTaking(line, words: request.wordsPassphrase, credential: request.credential).finishSearch(found)
  }

  /// Which accounts were used, and which of them are in the vault.
  static func text(_ answer: IdentityAccounts.Response, _ reader: Reader) -> String {
    var lines = answer.accounts.map { account in
      let state = account.isFound ? "used" : "no event found"
      let here = account.here.map { ", here as \(shown($0))" } ?? ", not here"
      return "Account \(account.account): \(shown(account.npub))  \(state)\(here)"
    }
    lines += answer.unreachable.map { "Not asked: \(shown($0.relay)) (\(shown($0.why)))" }
    if answer.relays.isEmpty {
      lines.append("No relay was asked: none is known for this identity. Name them with --relay wss://…")
    } else {
      lines.append("Searched \(answer.searched) accounts; the last \(answer.gapLimit) were unknown.")
    }
    if let missing = answer.accounts.first(where: { $0.here == nil }) {
      lines.append("Make an identity of one: holdfast identity derive NAME NEW-NAME --account \(missing.account)")
    }
    return lines.joined(separator: "\n")
  }
}
