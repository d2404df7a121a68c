import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts

/// `holdfast identity accounts`
enum IdentityAccountsCommand: OwnerCommand {
  typealias Operation = IdentityAccounts

  static let place = Command(
    "accounts", "Find the used accounts of an identity's words",
    discussion: """
      Derives the public keys of accounts 0, 1, 2 … and asks relays which of them has published anything, until 20 in a row \
      are unknown. It asks the relays that you name, or those that the identity is known to use. On a terminal it then asks \
      which accounts to take; --take answers in advance. Each becomes an identity named NAME-NUMBER. The relays learn that \
      somebody is interested in all these keys.
      """,
    arguments: [IdentityArguments.name],
    options: [.repeated("relay", "URL", "A relay to ask; may be given several times"), IdentityArguments.taking]
      + IdentityArguments.wordsPassphrase,
    examples: [
      Example("holdfast identity accounts alice --relay wss://relay.example.com", "which other keys came from these words?"),
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
    guard !answer.relays.isEmpty else { return withoutRelays(answer.accounts) }
    var lines = answer.accounts.map { account in
      let state = account.isFound ? "used" : "no event found"
      let here = account.here.map { ", here as \(shown($0))" } ?? ", not here"
      return "Account \(account.account): \(shown(account.npub))  \(state)\(here)"
    }
    lines += answer.unreachable.map { "Not asked: \(shown($0.relay)) (\(foreign($0.why)))" }
    lines.append("Searched \(answer.searched) accounts; no relay knew the last \(answer.gapLimit).")
    if let missing = answer.accounts.first(where: { $0.here == nil }) {
      lines.append("To make an identity of one: holdfast identity derive NAME NEW-NAME --account \(missing.account)")
    }
    return lines.joined(separator: "\n")
  }

  /// Nothing was searched: what is said of accounts is only which are here.
  private static func withoutRelays(_ accounts: [WordsAccount]) -> String {
    let name = accounts.compactMap(\.here).first.map { shown(ShellWord.plainOrQuoted($0)) } ?? "NAME"
    let here = accounts.map { "Account \($0.account): \(shown($0.npub)), here as \(shown($0.here))" }
    return
      ([
        "Nothing was searched: no relay is known for this identity, and none was named.",
        "To search, name a relay where it may have written: holdfast identity accounts \(name) --relay wss://relay.example.com",
      ] + here).joined(separator: "\n")
  }
}
