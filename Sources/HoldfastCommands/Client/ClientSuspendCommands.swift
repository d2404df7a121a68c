import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client suspend`
enum ClientSuspendCommand: AppCommand {
  typealias Operation = AppPause

  static let place = Command(
    "suspend", "Pause an app: it asks you for everything until you resume it", aliases: ["pause"],
    arguments: [ClientArguments.client])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    AppText.changed(
      "\(quoted(answer.summary.shownName)) is paused. To end that: holdfast client resume \(AppText.asTyped(line))", line)
  }
}

/// `holdfast client resume`
enum ClientResumeCommand: AppCommand {
  typealias Operation = AppResume

  static let place = Command("resume", "Let a paused app follow its rules again", arguments: [ClientArguments.client])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    AppText.changed("\(quoted(answer.summary.shownName)) follows its rules again.", line)
  }
}
