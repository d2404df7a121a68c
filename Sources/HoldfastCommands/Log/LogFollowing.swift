import CommandLine
import LocalAccess
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast log show --follow`: the newest entries, then each new one on a line of its own, until Ctrl-C or the signer's end.
struct LogFollowing {
  /// How many entries are shown at first, if no number is given.
  private static let usualEntries: Int64 = 10
  /// How long it waits before it asks again, in seconds.
  private static let pause: UInt32 = 1

  private let home: Home
  private let isJSON: Bool
  private var wanted: LogExport.Request
  /// How long the log was at the last look. What is older than that was read since.
  private var known: Int64 = 0
  private var told = FollowedLog()

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let first = try usage(line) { () throws(UsageError) in
      if let other = ["until", "before"].first(where: line.has) { throw .exclude(option: "follow", other: other) }
      return try LogShowCommand.request(line, Int64(time(nil)))
    }
    try checkHasVault(line)
    var following = LogFollowing(first, line)
    return try following.run(first)
  }

  private init(_ first: LogShow.Request, _ line: Invocation) {
    (home, isJSON, wanted) = (HoldfastCommands.home(line), line.has("json"), LogExport.Request())
    wanted.filter = first.filter
  }

  private mutating func run(_ first: LogShow.Request) throws(CommandError) -> ExitCode {
    var newest = first
    known = try length()
    (newest.before, newest.limit) = (known + 1, first.limit ?? Self.usualEntries)
    wanted.from = known + 1
    var entries = try LogShow.answer(try ask(LogShow.call(newest))).entries
    while prints(entries) {
      // Whoever reads what is printed may be gone, which is noticed only by printing.
      if entries.isEmpty || known < wanted.from ?? 1 { sleep(Self.pause) }
      entries = try next()
    }
    return .done
  }

  /// How many entries the log has.
  private func length() throws(CommandError) -> Int64 {
    var request = LogExport.Request()
    request.limit = 1
    return try LogExport.answer(try ask(LogExport.call(request))).count
  }

  /// The entries that were written since the last call.
  private mutating func next() throws(CommandError) -> [LogEntry] {
    let answer = try LogExport.answer(try ask(LogExport.call(wanted)))
    // Entries that the filter leaves out are not read again and again.
    wanted.from = answer.entries.last.map { $0.sequence + 1 } ?? max(wanted.from ?? 1, known + 1)
    known = answer.count
    return answer.entries
  }

  private func ask(_ call: ControlRequest) throws(CommandError) -> ControlResult {
    guard let result = try askDaemonWhole(call, home) else { throw CommandError(OperationError.needsDaemon) }
    return result
  }

  /// - Returns: false when nobody reads it any more.
  private mutating func prints(_ entries: [LogEntry]) -> Bool {
    guard isJSON else {
      // A program gets an entry as one line, with its whole time.
      let lines = Terminal.isOutput ? told.lines(entries, within: Terminal.columns()) : LogText.lines(entries)
      return lines.allSatisfy { Output.line($0) }
    }
    return entries.allSatisfy { entry in
      var entry = entry
      entry.leaf = nil
      return Output.line(entry.json)
    }
  }
}
