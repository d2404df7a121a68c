import CommandLine
import CredentialOptions
import OwnerAPI
import TerminalUI

/// `holdfast sign`: prints the signed event, which is JSON.
enum SignCommand: OwnerCommand {
  typealias Operation = Sign

  static let place = Command(
    "sign", "Sign an event from standard input",
    discussion: """
      Reads an unsigned event as JSON (kind, content and, if you like, tags and created_at) and prints it signed. This is you \
      at the keyboard: no app's rules apply. An event dated more than 15 minutes ahead needs --date-ahead, because relays \
      would prefer it to everything that you sign until then.
      """,
    options: [
      SharedOptions.identity, .flag("date-ahead", "Allow an event dated more than 15 minutes ahead"),
    ],
    examples: [Example(example, "prints the signed event")])

  private static let example = #"echo '{"kind":1,"content":"hello"}' | holdfast sign"#

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Sign.Request {
    var request = Sign.Request()
    request.identity = line.value("identity")
    request.allowsDateAhead = line.has("date-ahead")
    return request
  }

  static func complete(_ request: inout Sign.Request, _ line: Invocation) throws(CommandError) {
    request.event = try StandardInput.json(example: example)
    if CredentialSource.isNamed(in: line) { request.credential = try credential(line) }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    Output.line(try performWhole(Sign.call(try asked(line)), line).json) ? .done : .failed
  }

  static func text(_ answer: Sign.Response, _ reader: Reader) -> String { "" }
}
