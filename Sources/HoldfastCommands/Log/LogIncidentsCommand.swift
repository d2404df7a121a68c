import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast log incidents`
enum LogIncidentsCommand: ProgramCommand {
  private static let most: Int64 = 100
  private static let types = LogEntryKind.allCases.filter { $0.rawValue.hasPrefix("incident") }

  static let place = Command(
    "incidents", "Show what was suspicious, such as wrong passphrases",
    discussion: "'holdfast status' and the console mention incidents until you say with --checked that you have looked at them.",
    options: [.flag("checked", "Note that you have looked at the incidents so far")],
    examples: [
      Example("holdfast log incidents", "the newest \(most) of each type"),
      Example("holdfast log incidents --checked", "be reminded of them no more"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    line.has("checked") ? try IncidentsCheckedCommand.run(line) : try show(line)
  }

  private static func show(_ line: Invocation) throws(CommandError) -> ExitCode {
    var found = LogShow.Response()
    for type in types {
      var request = LogShow.Request()
      (request.filter.entry, request.limit) = (type, most)
      found.entries += try LogShow.answer(try performWhole(LogShow.call(request), line)).entries
    }
    found.entries.sort { $0.sequence < $1.sequence }
    if line.has("json") { return Output.line(LogShow.result(found).json) ? .done : .failed }
    guard !found.entries.isEmpty else { return printLine("There are no incidents in the log.", line) }
    return printLine(
      LogShowCommand.text(found, .present) + "\n\nIf you know what they were: holdfast log incidents --checked", line)
  }
}

/// `holdfast log incidents --checked`
private enum IncidentsCheckedCommand: OwnerCommand {
  typealias Operation = IncidentsChecked

  static let place = LogIncidentsCommand.place

  static func text(_ answer: IncidentsChecked.Response, _ reader: Reader) -> String {
    "Noted. The log keeps them: holdfast log incidents"
  }
}
