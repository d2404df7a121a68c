import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client revoke`
enum ClientRevokeCommand: OwnerCommand {
  typealias Operation = AppRevoke

  static let place = Command(
    "revoke", "End a pairing for good",
    discussion: """
      The app can no longer ask for anything. To use it again, you pair it again. At a terminal it asks first; without one, or \
      with --json, the pairing ends at once, because that is the safe direction. Only where you are asked, the \
      beginning of the app's name is enough.
      """,
    arguments: [ClientArguments.client], options: [SharedOptions.yes],
    examples: [
      Example("holdfast client revoke amethyst", "names the app, and asks"),
      Example("holdfast client revoke Amethyst --yes", "asks nothing; then the whole name is needed"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }

  static func check(_ line: Invocation) throws(CommandError) {
    try checkHasVault(line)
    try ClientArguments.checkExists(line)
  }

  /// Asks, and then names the very app that the question named.
  static func complete(_ request: inout AppRequest, _ line: Invocation) throws(CommandError) {
    guard RequestAnswer.canAsk(line) else { return }
    let found = ClientArguments.found(line)
    try confirm(question(about: found, line), line)
    if let found { request.client = found.summary.signer }
  }

  static func question(about found: AppDetail?, _ line: Invocation) -> String {
    let pause = found.map { " To pause the app instead: holdfast client suspend \(AppText.digits(of: $0.summary))" } ?? ""
    return "This ends the pairing with \(ClientArguments.named(found, line)) for good.\(pause)\nEnd it?"
  }

  static func text(_ answer: AppRevoke.Response, _ reader: Reader) -> String {
    "The pairing with \(quoted(AppName.shown(answer.name, answer.revoked))) has ended. To pair again, the app needs a new link: holdfast pair"
  }
}
