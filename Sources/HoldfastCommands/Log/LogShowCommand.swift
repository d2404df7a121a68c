import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast log show`
enum LogShowCommand: OwnerCommand {
  typealias Operation = LogShow

  static let place = Command(
    "show", "Show the newest entries, or one",
    discussion: """
      At a terminal, a request that was allowed and carried out is one line, so some numbers are missing: 'log show SEQUENCE' shows \
      each, and so does --json. Why a rule decided so is shown where the terminal has 110 columns.

      Lists leave out entries that only say that a denied request failed. --json has them.
      """,
    arguments: [
      Argument(
        "sequence",
        "Only the entry with this number, with all that the log holds about it; or the entries about the request with this id, as "
          + "'holdfast request list' shows it", required: false)
    ],
    options: LogArguments.filter + [
      .value("before", "SEQUENCE", "Only entries with a lower number"), .value("limit", "N", "At most this many entries (50)"),
      .flag(
        "follow",
        "Show the newest entries (10), then each new one, until Ctrl-C. Needs the running signer; not with --until or --before"),
      SharedOptions.noPager,
    ],
    examples: [
      Example("holdfast log show --since 1h --client amethyst", "what one app did in the last hour"),
      Example("holdfast log show --follow", "each new entry, as it comes"),
      Example("holdfast log show 12", "everything about entry 12"),
      Example("holdfast log show 3f2a77b0", "what became of a request"),
    ])

  static var isPaged: Bool { true }

  /// The newest entries are at the end.
  static var isReadFromEnd: Bool { true }

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogShow.Request {
    var request = LogShow.Request()
    if let number = line.argument("sequence") { return try one(number, line) }
    request.filter = try LogFilter(line, now)
    request.limit = try line.integer("limit", in: 1...100_000)
    request.before = try line.integer("before", in: 1...Int64.max)
    return request
  }

  private static func one(_ number: String, _ line: Invocation) throws(UsageError) -> LogShow.Request {
    if isRequest(number) { return ofRequest(number) }
    guard let sequence = Int64(number), sequence > 0, sequence < Int64.max else {
      throw .refused(sentence: "SEQUENCE must be the number of an entry.", hint: "For the newest entries: holdfast log show")
    }
    let others = LogArguments.filter.map(\.name) + ["before", "limit", "follow"]
    if let other = others.first(where: line.has) {
      throw .refused(sentence: "A number selects one entry, so --\(other) selects nothing.", hint: "Leave one of them out.")
    }
    var request = LogShow.Request()
    (request.before, request.limit) = (sequence + 1, 1)
    return request
  }

  /// Whether it is the id of a request, and no number.
  private static func isRequest(_ text: String) -> Bool {
    (4...8).contains(text.utf8.count) && text.utf8.allSatisfy(Hex.isDigit) && Int64(text) == nil
  }

  private static func ofRequest(_ id: String) -> LogShow.Request {
    var request = LogShow.Request()
    request.filter.request = id
    return request
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if line.has("follow") { return try LogFollowing.run(line) }
    let result = try performWhole(Operation.call(try asked(line)), line)
    guard let number = line.argument("sequence").flatMap({ Int64($0) }) else { return try show(result, line) }
    guard let entry = try LogShow.answer(result).entries.first, entry.sequence == number else {
      // An id may have no letters.
      if (4...8).contains(line.needed("sequence").utf8.count) {
        let found = try performWhole(Operation.call(ofRequest(line.needed("sequence"))), line)
        if try !LogShow.answer(found).entries.isEmpty { return try show(found, line) }
      }
      throw CommandError(
        .notFound, "The log has no entry with the number \(number).", hint: "To see the newest entries: holdfast log show")
    }
    return (line.has("json") ? Output.line(result.json) : Output.line(LogText.entry(entry))) ? .done : .failed
  }

  /// The line below a list at a terminal that reached its limit: it says that there may be older entries, and how to see them.
  static func next(_ answer: LogShow.Response, _ line: Invocation) -> String? {
    let limit = ((try? line.integer("limit", in: 1...100_000)) ?? nil) ?? usualLimit
    guard Terminal.isOutput, line.argument("sequence") == nil, answer.entries.count >= limit,
      let oldest = answer.entries.map(\.sequence).min(), oldest > 1
    else { return nil }
    return "For older ones: holdfast log show --before \(oldest)"
  }

  /// How many the signer shows unless it is told otherwise.
  private static let usualLimit: Int64 = 50

  static func text(_ answer: LogShow.Response, _ reader: Reader) -> String {
    if answer.entries.isEmpty { return "There are no such entries." }
    let isOfOne = answer.entries.first?.request != nil && Set(answer.entries.map(\.request)).count == 1
    return reader.columns == nil ? LogText.table(answer.entries) : LogText.days(answer.entries, reader, isOfOne: isOfOne)
  }
}
