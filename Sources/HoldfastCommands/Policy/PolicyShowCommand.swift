import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast policy show`
enum PolicyShowCommand: OwnerCommand {
  typealias Operation = PolicyShow

  static let place = Command(
    "show", "Show what is allowed, asked and denied",
    discussion: """
      With CLIENT: the answers for that app now. Without: the answers for each level of trust. The numbers are kinds of events; for \
      any other one: holdfast policy explain CLIENT sign_event:KIND
      """,
    arguments: [ruledApp],
    options: [SharedOptions.noPager])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PolicyShow.Request {
    var request = PolicyShow.Request()
    request.client = line.argument("client")
    return request
  }

  static var isPaged: Bool { true }

  static func text(_ answer: PolicySummary, _ reader: Reader) -> String { PolicyText.rules(answer, reader) }
}

extension Noun {
  static let policy = Noun(
    "policy", "The rules",
    commands: [PolicyShowCommand.self, PolicySetCommand.self, PolicyExplainCommand.self])
}

/// The app that a rule is about.
let ruledApp = Argument(
  "client", ClientArguments.meaning, required: false, completion: .names("apps"))

/// Texts about rules, for people.
enum PolicyText {
  static func rules(_ policy: PolicySummary, _ reader: Reader) -> String {
    let settings = pairs([
      ("New apps", "\(shown(policy.defaultTrust)) trust"),
      (
        "Follow list", "asks if it drops more than 2 people and more than \(policy.followShare) % of your follows, or all of them"
      ),
      ("Paused", policy.isPaused ? "all apps; they ask you for everything" : ""),
    ])
    if let app = policy.app { return settings + "\n\n" + holds(app, reader) }
    var table = TextTable(["WHAT", "FULL", "MEDIUM", "LOW"], whole: [0])
    for row in policy.defaults ?? [] {
      table.add([what(row.what, row.kinds), row.full.verdict.rawValue, row.medium.verdict.rawValue, row.low.verdict.rawValue])
    }
    return settings + "\n\n" + table.text(for: reader)
  }

  /// With the kinds of events: `your relay list (10002)`.
  private static func what(_ words: String, _ kinds: String) -> String { kinds.isEmpty ? words : "\(words) (\(kinds))" }

  private static func holds(_ app: AppPolicy, _ reader: Reader) -> String {
    var table = TextTable(["WHAT IT ASKS", "ANSWER", "BECAUSE"], whole: [0, 2])
    for row in app.holds { table.add([what(row.what, row.kinds), row.decision.verdict.rawValue, row.decision.reason]) }
    return "App: “\(foreign(app.name))”\n\n" + table.text(for: reader)
  }
}
