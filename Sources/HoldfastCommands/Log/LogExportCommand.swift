import CommandLine
import JSON
import OwnerAPI
import Platform
import TerminalUI

/// `holdfast log export`: requests one part after the other and prints each entry on its own line.
enum LogExportCommand: ProgramCommand {
  static let place = Command(
    "export", "Print entries as lines of JSON, oldest first",
    options: LogArguments.filter + [.value("limit", "N", "At most this many entries, the oldest first (all)")],
    examples: [Example("holdfast log export --since 30d > month.jsonl", "the last month, with leaf hashes")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    var request = try usage(line) { () throws(UsageError) in try self.request(line, Int64(time(nil))) }
    request.from = 1
    var left = try usage(line) { () throws(UsageError) in try line.integer("limit", in: 1...Int64.max) } ?? .max
    var parts = ExportParts(line)
    defer { parts.close() }
    var bar: ProgressBar?
    defer { bar?.finish() }
    while request.from != nil, left > 0 {
      let result = try parts.next(request)
      let entries = (result["entries"]?.array ?? []).prefix(Int(clamping: left))
      left -= Int64(entries.count)
      guard print(entries) else { return .failed }
      let answer = try LogExport.answer(result)
      request.from = answer.next
      // On a terminal, the printed entries themselves show the progress.
      guard isatty(STDOUT_FILENO) == 0 else { continue }
      if bar == nil { bar = ProgressBar("Exporting", total: Int(clamping: answer.count), now: Clock.monotonicMilliseconds) }
      bar?.update(done: Int(clamping: answer.next ?? answer.count), now: Clock.monotonicMilliseconds)
    }
    return .done
  }

  private static func print(_ entries: ArraySlice<JSONValue>) -> Bool {
    if Terminal.isOutput { return entries.allSatisfy { Output.line($0) } }
    return Output.write(entries.flatMap { $0.serialized() + [0x0A] }, to: STDOUT_FILENO)
  }

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogExport.Request {
    var request = LogExport.Request()
    request.filter = try LogFilter(line, now)
    return request
  }
}
