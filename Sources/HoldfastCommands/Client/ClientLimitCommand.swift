import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client limit`
enum ClientLimitCommand: AppCommand {
  typealias Operation = AppLimit

  static let place = Command(
    "limit", "Limit how much an app may do without asking",
    discussion: """
      Requests beyond a limit wait for your answer. Requests that use no key, such as ping, are counted separately and get an \
      error beyond the limit. 'none' removes a limit.
      """,
    arguments: [ClientArguments.client],
    options: [
      .value("per-minute", "N", "Uses of your key in a minute, or none"),
      .value("per-hour", "N", "Uses of your key in an hour, or none"),
      .value("per-day", "N", "Uses of your key in a day, or none"),
    ],
    examples: [Example("holdfast client limit bot --per-hour 60", "the 61st signature in an hour waits for you")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppLimit.Request {
    guard ["per-minute", "per-hour", "per-day"].contains(where: { line.has($0) }) else {
      throw .refused(
        sentence: "'client limit' needs a limit.",
        hint: "Give at least one of --per-minute, --per-hour and --per-day: a number, or none.")
    }
    var request = AppLimit.Request()
    request.app = ClientArguments.app(line)
    request.perMinute = try count(line, "per-minute")
    request.perHour = try count(line, "per-hour")
    request.perDay = try count(line, "per-day")
    return request
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let name = quoted(answer.summary.shownName)
    guard let limits = AppText.limits(answer.grant.limits, of: " times") else {
      return AppText.changed("\(name) has no limits now.", line)
    }
    let holds = HoldingText.untilChanged(ending: ending(answer.grant.limits, line))
    return AppText.changed(
      "\(name) may now use your key at most \(limits). Further requests wait for your answer. \(holds)", line)
  }

  /// The command that removes all limits.
  private static func ending(_ limits: AppLimits, _ line: Invocation) -> String {
    let set = [("per-minute", limits.perMinute), ("per-hour", limits.perHour), ("per-day", limits.perDay)].filter { $0.1 != nil }
    return (["holdfast client limit", AppText.asTyped(line)] + set.map { "--\($0.0) none" }).joined(separator: " ")
  }

  private static func count(_ line: Invocation, _ option: String) throws(UsageError) -> Change<Int64> {
    guard let text = line.value(option) else { return .unchanged }
    guard let count = ClientArguments.count(text) else { throw .valueMalformed(option: option, form: "a number or none") }
    return count
  }
}
