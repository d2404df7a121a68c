import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client show`
enum ClientShowCommand: OwnerCommand {
  typealias Operation = AppShow

  static let place = Command("show", "Show an app, what it asked for and what it may do", arguments: [ClientArguments.client])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }

  static func text(_ answer: AppDetail, _ reader: Reader) -> String { AppText.text(answer, reader) }
}
