import CommandLine
import CredentialOptions
import JSON
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast sign`: prints each signed event, which is JSON, on one line.
enum SignCommand: OwnerCommand {
  typealias Operation = Sign

  static let place = Command(
    "sign", "Sign an event from standard input",
    discussion: """
      Reads an unsigned event as JSON (kind, content and, if you like, tags and created_at) and prints it signed. Several \
      events may come, one a line; each is printed on a line of its own. A line that is not JSON is refused before anything is \
      signed. At an event that cannot be signed it stops, names the line and ends with exit code 1. This is you at the keyboard: no app's rules apply. \
      An event dated more than 15 minutes ahead needs --date-ahead, because relays would prefer it to everything that you \
      sign until then.
      """,
    options: [
      SharedOptions.identity, .flag("date-ahead", "Allow an event dated more than 15 minutes ahead"),
    ],
    examples: [
      Example(example, "prints the signed event"),
      Example("holdfast sign < drafts.jsonl > signed.jsonl", "signs one event a line"),
    ])

  private static let example = #"echo '{"kind":1,"content":"hello"}' | holdfast sign"#

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Sign.Request {
    var request = Sign.Request()
    request.identity = line.value("identity")
    request.allowsDateAhead = line.has("date-ahead")
    return request
  }

  static func complete(_ request: inout Sign.Request, _ line: Invocation) throws(CommandError) {
    if CredentialSource.isNamed(in: line) { request.credential = try credential(line) }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    var request = try asked(line)
    for (place, read) in try StandardInput.events(example: example).enumerated() {
      if place > 0 { request = try asked(line) }  // a proof is for one use of a key
      request.event = read.event
      guard Output.line(try signed(request, read.line, isFirst: place == 0, line)) else { return .failed }
    }
    return .done
  }

  /// - Throws: for one of several events with the number of its line. What is not about the event itself keeps its exit code.
  private static func signed(
    _ request: Sign.Request, _ number: Int?, isFirst: Bool, _ line: Invocation
  ) throws(CommandError) -> JSONValue {
    do throws(CommandError) { return try performWhole(Sign.call(request), line).json } catch {
      guard let number else { throw error }
      let rest = isFirst ? "Nothing was signed." : "The lines before it were signed; it and those after it were not."
      throw CommandError(
        error.exit == .locked || error.exit == .notFound ? error.exit : .failed, "Line \(number): \(error.error) \(rest)",
        hint: error.hint)
    }
  }

  static func text(_ answer: Sign.Response, _ reader: Reader) -> String { "" }
}
