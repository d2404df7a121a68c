import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// A command that removes something for good. First a plan is requested, which says what would be left, and the person is asked.
protocol PlannedCommand: OwnerCommand {
  /// Whether this command line needs a plan. With `--yes` it never does.
  static func isPlannedFirst(_ line: Invocation) -> Bool

  /// The request for the plan.
  static func plan(_ request: Operation.Request) -> Operation.Request

  /// The question to a person who has read the plan; nil for none.
  static func question(_ plan: Operation.Response, _ now: Int64) -> String?

  /// The request after the person accepted the plan.
  static func accepted(_ request: Operation.Request, _ plan: Operation.Response) -> Operation.Request
}

extension PlannedCommand {
  static func isPlannedFirst(_ line: Invocation) -> Bool { true }
  static func accepted(_ request: Operation.Request, _ plan: Operation.Response) -> Operation.Request { request }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let isPlanned = !line.has("yes") && isPlannedFirst(line)
    // Checked after the command line and what it names, but before a secret is read.
    _ = try usage(line) { () throws(UsageError) in try self.request(line, 0) }
    if isPlanned {
      try check(line)
      try checkCanConfirm(line, needsProof: Operation.properties.proof != .none)
    }
    var request = try asked(line)
    if isPlanned { request = try confirmed(request, line) }
    return try show(try performWhole(Operation.call(request), line), line)
  }

  /// Shows the plan, then asks. A passphrase that was typed wrongly is asked for again before the question.
  private static func confirmed(_ request: Operation.Request, _ line: Invocation) throws(CommandError) -> Operation.Request {
    var request = request
    let found = try Operation.answer(
      try askingAgain(line) { (again: Bool) throws(CommandError) in
        if again { try complete(&request, line) }
        return try performOnce(Operation.call(plan(request)), line)
      })
    guard let question = question(found, Reader.present.now) else { return request }
    guard PlainInput.confirms(question) else { throw CommandError(.failed, "Nothing was done.") }
    return accepted(request, found)
  }
}
