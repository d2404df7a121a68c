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
      "\(quoted(answer.summary.shownName)) \(answer.isUnchanged == true ? "was paused already" : "is paused"). To end that: holdfast client resume \(AppText.digits(of: answer.summary))",
      line)
  }
}

/// `holdfast client resume`
enum ClientResumeCommand: AppCommand {
  typealias Operation = AppResume

  static let place = Command("resume", "Let a paused app follow its rules again", arguments: [ClientArguments.client])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { ClientArguments.app(line) }

  static func complete(_ request: inout AppRequest, _ line: Invocation) throws(CommandError) {
    try ClientArguments.confirmed(&request, line) { app in
      ClientArguments.isWhole(app, line) ? nil : "Let \(ClientArguments.named(app, line)) follow its rules again?"
    }
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let name = quoted(answer.summary.shownName)
    if answer.summary.isPaused {
      return AppText.changed("\(name) stays paused with everything else until you resume the signer: holdfast resume", line)
    }
    let done = answer.isUnchanged == true ? "\(name) was not paused: it follows its rules." : "\(name) follows its rules again."
    let whole = [done, ClientTrustCommand.waiting(answer.summary, line)].compactMap { $0 }.joined(separator: "\n")
    return AppText.changed(whole, line)
  }
}
