import CommandLine
import JSON
import OwnerAPI
import Platform
import TerminalUI

/// A command that asks for one of the owner's operations and prints the answer.
protocol OwnerCommand: ProgramCommand {
  /// What it asks for.
  associatedtype Operation: OwnerOperation

  /// The request, as far as the command line says it.
  /// - Parameter now: seconds since 1970, for times that are said as “so long ago”.
  /// - Throws: for values that the operation does not take.
  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Operation.Request

  /// What a person at a terminal is asked before it is done; nil for nothing.
  static func question(_ line: Invocation) -> String?

  /// Reads what the request still lacks: secrets, files, standard input.
  static func complete(_ request: inout Operation.Request, _ line: Invocation) throws(CommandError)

  /// The answer for people: lines without a line break at the end.
  static func text(_ answer: Operation.Response, _ reader: Reader) -> String
}

/// Who reads an answer, and when.
struct Reader: Sendable {
  /// Seconds since 1970.
  var now: Int64
  /// Whether the terminal shows colours.
  var colors = false

  /// A reader at this moment.
  static var present: Reader { Reader(now: Int64(time(nil)), colors: Terminal.hasColors) }
}

extension OwnerCommand {
  static func question(_ line: Invocation) -> String? { nil }
  static func complete(_ request: inout Operation.Request, _ line: Invocation) throws(CommandError) {}

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(Operation.call(try asked(line)), line)
    return try show(result, line)
  }

  /// The whole request: confirmed, and completed with what is read.
  static func asked(_ line: Invocation) throws(CommandError) -> Operation.Request {
    var request = try usage { () throws(UsageError) in try self.request(line, Int64(time(nil))) }
    try confirm(question(line), line)
    try complete(&request, line)
    return request
  }

  /// Prints an answer, as JSON or in words.
  static func show(_ result: ControlResult, _ line: Invocation) throws(CommandError) -> ExitCode {
    if line.has("json") {
      guard Output.line(result.json) else { return .failed }
    } else {
      Output.line(suggested(line).text(text(try Operation.answer(result), .present)))
    }
    // Some answers say of themselves that something is not well.
    return result["ok"]?.bool == false ? .failed : .done
  }
}

extension OwnerCommand where Operation.Request == Nothing {
  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Nothing { Nothing() }
}

extension OwnerOperation {
  /// Reads an answer for people.
  static func answer(_ result: ControlResult) throws(CommandError) -> Response {
    do { return try response(from: result) } catch {
      throw CommandError(
        .failed, "The signer's answer could not be read.", hint: "It may be another version. Stop it and start it again.")
    }
  }
}

/// Asks before what cannot be taken back. Only a person at a terminal is asked: a script said what it wants.
func confirm(_ question: String?, _ line: Invocation) throws(CommandError) {
  guard let question, !line.has("yes"), Terminal.isInput, !line.has("json") else { return }
  if !PlainInput.confirms(question) { throw CommandError(.failed, "Nothing was done.") }
}
