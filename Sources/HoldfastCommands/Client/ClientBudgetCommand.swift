import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts

/// `holdfast client budget`
enum ClientBudgetCommand: AppCommand {
  typealias Operation = AppBudgetSet

  static let place = Command(
    "budget", "Limit how much of one kind an app may do without asking",
    discussion: """
      Requests beyond the budget wait for your answer. The period begins with the first request. A permission can have a budget for each \
      length of period at once; 'none' ends the one of that length.
      """,
    arguments: [
      ClientArguments.client, Argument("permission", "A method, or sign_event:KIND"), Argument("count", "How many, or none"),
    ],
    options: [.value("per", "TIME", "1h, 1d or 1w (1d)", completion: .words(["1h", "1d", "1w"]))],
    examples: [
      Example("holdfast client budget bot sign_event:1 10 --per 1d", "ten notes a day"),
      Example("holdfast client budget bot nip44_decrypt 50 --per 1h", "fifty messages an hour"),
      Example("holdfast client budget bot sign_event:1 none --per 1d", "ends the budget for a day"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppBudgetSet.Request {
    guard let count = ClientArguments.count(line.needed("count")) else {
      throw .argumentNotAllowed(name: "count", allowed: ["a number", "none"])
    }
    var request = AppBudgetSet.Request()
    request.app = ClientArguments.app(line)
    request.permission = try ClientArguments.permission(line)
    request.count = count
    request.period = line.word("per") ?? .day
    return request
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let (name, permission) = (quoted(answer.summary.shownName), foreign(line.needed("permission"), limit: 300))
    guard case .to(let count?)? = ClientArguments.count(line.needed("count")) else {
      return AppText.changed("\(name) has no budget for \(permission) now.", line)
    }
    let period: BudgetPeriod = line.word("per") ?? .day
    let typed = foreign(ShellWord.plainOrQuoted(line.needed("permission")), limit: 300)
    let holds = HoldingText.untilChanged(
      ending: "holdfast client budget \(AppText.asTyped(line)) \(typed) none --per \(period.rawValue)")
    return AppText.changed(
      "\(name) may now do \(permission) at most \(count) times in \(period.length). Further requests wait for your answer. \(holds)",
      line)
  }
}
