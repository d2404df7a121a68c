import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client trust`
enum ClientTrustCommand: AppCommand {
  typealias Operation = AppTrust

  static let place = Command(
    "trust", "Set how much an app is trusted", discussion: "\(SharedOptions.trustMeaning).",
    arguments: [ClientArguments.client, ClientArguments.trust], options: [SharedOptions.yes],
    examples: [Example("holdfast client trust amethyst low", "ask you about everything it wants")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppTrust.Request {
    ClientArguments.trust(ClientArguments.app(line), line)
  }

  static func check(_ line: Invocation) throws(CommandError) { try ClientArguments.checkExists(line) }

  static func question(_ line: Invocation) -> String? {
    guard line.needed("trust") == Trust.full.rawValue, !LockedNote.isShut(line) else { return nil }
    return """
      With full trust, \(ClientArguments.named(line)) does all but what always asks you without asking: it reads private messages, \
      changes your profile and deletes posts. Set it?
      """
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let meaning =
      switch answer.summary.trust {
      case .full: "it does all but what always asks you, private messages too, without asking."
      case .medium:
        "it also asks you before it changes your profile, follows, relays or app data, deletes, logs in to places you do not use, or spends."
      case .low: "it asks you about everything."
      }
    let rules =
      answer.grant.rules.isEmpty
      ? "" : " Its own rules go first; see them: holdfast client show \(AppText.digits(of: answer.summary))"
    return AppText.changed(
      "\(quoted(answer.summary.shownName)) now has \(answer.summary.trust.rawValue) trust: \(meaning)\(rules)", line)
  }
}
