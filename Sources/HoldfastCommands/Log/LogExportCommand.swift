import CommandLine
import JSON
import OwnerAPI
import Platform
import ResponseTexts
import TerminalUI

/// `holdfast log export`: requests one part after the other and prints each entry on its own line.
enum LogExportCommand: ProgramCommand {
  static let place = Command(
    "export", "Print entries as lines of JSON, oldest first",
    options: LogArguments.filter + [
      .value("limit", "N", "At most this many entries, the oldest first (all)"),
      .value(
        "out", "FILE", "Write the entries to a new file that only you can read, instead of printing them", completion: .file),
    ],
    examples: [
      Example("holdfast log export --since 30d --out month.jsonl", "the last month, with leaf hashes"),
      Example("holdfast log export | grep paired", "entries for another program"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    var request = try usage(line) { () throws(UsageError) in try self.request(line, Int64(time(nil))) }
    request.from = 1
    var left = try usage(line) { () throws(UsageError) in try line.integer("limit", in: 1...Int64.max) } ?? .max
    try line.value("out").map(checkNewFile)
    var parts = ExportParts(line)
    defer { parts.close() }
    var output: ExportOutput?
    var bar: ProgressBar?
    defer { bar?.finish() }
    while request.from != nil, left > 0 {
      let result = try parts.next(request)
      let entries = (result["entries"]?.array ?? []).prefix(Int(clamping: left))
      left -= Int64(entries.count)
      // Only now is it known that the log can be read.
      if output == nil { output = try ExportOutput(line.value("out")) }
      guard try output?.write(entries) == true else { return .failed }
      let answer = try LogExport.answer(result)
      request.from = answer.next
      // On a terminal, the printed entries themselves show the progress.
      guard output?.isSeen == false else { continue }
      if bar == nil { bar = ProgressBar("Exporting", total: Int(clamping: answer.count), now: Clock.monotonicMilliseconds) }
      bar?.update(done: Int(clamping: answer.next ?? answer.count), now: Clock.monotonicMilliseconds)
    }
    bar?.finish()
    bar = nil
    return try output?.finish(line) ?? .done
  }

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogExport.Request {
    var request = LogExport.Request()
    request.filter = try LogFilter(line, now)
    return request
  }
}
