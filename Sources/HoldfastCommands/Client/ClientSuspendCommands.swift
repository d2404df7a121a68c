import CommandLine
import OwnerAPI

/// `holdfast client suspend`
enum ClientSuspendCommand: AppCommand {
  typealias Operation = AppPause

  static let place = Command(
    "suspend", "Ask about everything an app wants, until it is resumed", arguments: [ClientArguments.client])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }
}

/// `holdfast client resume`
enum ClientResumeCommand: AppCommand {
  typealias Operation = AppResume

  static let place = Command("resume", "Let an app's permissions hold again", arguments: [ClientArguments.client])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }
}
