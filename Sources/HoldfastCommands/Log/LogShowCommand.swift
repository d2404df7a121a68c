import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast log show`
enum LogShowCommand: OwnerCommand {
  typealias Operation = LogShow

  static let place = Command(
    "show", "Show the newest entries",
    options: LogArguments.filter + [
      .value("before", "N", "Only entries with a lower number"), .value("limit", "N", "At most this many entries (50)"),
    ],
    examples: [Example("holdfast log show --since 1h --client amethyst", "what one app did in the last hour")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogShow.Request {
    var request = LogShow.Request()
    request.filter = try LogFilter(line, now)
    request.limit = try line.integer("limit", in: 1...100_000)
    request.before = try line.integer("before", in: 1...Int64.max)
    return request
  }

  static func text(_ answer: LogShow.Response, _ reader: Reader) -> String {
    if answer.entries.isEmpty { return "There are no such entries." }
    var table = TextTable(["N", "TIME", "APP", "WHAT", "RESULT", "WHY"], whole: [3, 5])
    for entry in answer.entries {
      table.add([
        "\(entry.sequence)", date(entry.time), String((entry.clientName ?? entry.client ?? "").prefix(16)), entry.text,
        result(entry), [entry.rule, entry.failure].compactMap { $0 }.joined(separator: "; "),
      ])
    }
    return table.text(within: reader.columns)
  }

  private static func result(_ entry: LogEntry) -> String {
    if entry.entry == .requestDone { return entry.error == nil ? "done" : "failed" }
    return switch entry.decision {
    case .allow: "allowed"
    case .ask: "asked you"
    case .deny: "denied"
    case nil: ""
    }
  }
}
