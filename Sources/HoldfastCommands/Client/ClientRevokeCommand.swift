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
      with --json, the pairing ends at once, because that is the safe direction.
      """,
    arguments: [ClientArguments.client], options: [SharedOptions.yes])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }

  static func question(_ line: Invocation) -> String? { "End the pairing with \(ClientArguments.named(line))?" }

  static func check(_ line: Invocation) throws(CommandError) { try ClientArguments.checkExists(line) }

  static func text(_ answer: AppRevoke.Response, _ reader: Reader) -> String {
    "The pairing with \(quoted(answer.name)) has ended."
  }
}
