import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast policy show`
enum PolicyShowCommand: OwnerCommand {
  typealias Operation = PolicyShow

  static let place = Command(
    "show", "Show what is allowed, asked and denied",
    discussion: "Without CLIENT for each level of trust, with CLIENT for that app as it is now.", arguments: [ruledApp])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PolicyShow.Request {
    var request = PolicyShow.Request()
    request.client = line.argument("client")
    return request
  }

  static func text(_ answer: PolicySummary, _ reader: Reader) -> String { PolicyText.rules(answer) }
}

extension Noun {
  static let policy = Noun(
    "policy", "The rules: show, set, explain",
    commands: [PolicyShowCommand.self, PolicySetCommand.self, PolicyExplainCommand.self])
}

/// The app that a rule is about.
let ruledApp = Argument("client", "An app: its name, public key, or the key's first 4 or more digits", required: false)

/// Texts about rules, for people.
enum PolicyText {
  static func rules(_ policy: PolicySummary) -> String {
    let settings = pairs([
      ("New apps", "\(shown(policy.defaultTrust)) trust"),
      ("Follow list", "asked when it drops more than \(policy.followShare) % of your follows"),
      ("Suspended", policy.isPaused ? "all permissions; everything is asked" : ""),
    ])
    if let app = policy.app { return settings + "\n\n" + holds(app) }
    var table = TextTable(["WHAT", "FULL TRUST", "MEDIUM TRUST", "LOW TRUST"])
    for row in policy.defaults ?? [] {
      table.add([row.what, row.full.verdict.rawValue, row.medium.verdict.rawValue, row.low.verdict.rawValue])
    }
    return settings + "\n\n" + table.text
  }

  private static func holds(_ app: AppPolicy) -> String {
    var table = TextTable(["WHAT \(shown(app.name)) ASKS", "ANSWER", "BECAUSE"], whole: [2])
    for row in app.holds { table.add([row.what, row.decision.verdict.rawValue, row.decision.reason]) }
    return table.text
  }
}
