import CommandLine
import CredentialOptions
import OwnerAPI
import TerminalUI

/// `holdfast request approve`
enum RequestApproveCommand: OwnerCommand {
  typealias Operation = RequestApprove

  static let place = Command(
    "approve", "Approve waiting requests", discussion: RequestArguments.meaning, arguments: [RequestArguments.ids],
    options: [RequestArguments.duration, RequestArguments.permission, RequestArguments.allLike, SharedOptions.yes],
    examples: [
      Example("holdfast request approve 3f2a", "this request, once"),
      Example("holdfast request approve 3f2a --for 1h", "this and similar requests, for an hour"),
      Example("holdfast request approve --all-like 3f2a", "all waiting requests like this one"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RequestApprove.Request {
    var request = RequestApprove.Request()
    request.answer = try RequestAnswer(line)
    return request
  }

  static func complete(_ request: inout RequestApprove.Request, _ line: Invocation) throws(CommandError) {
    if CredentialSource.isNamed(in: line) { request.credential = try credential(line) }
    try request.answer.addAlike(line, verb: "Approve")
    try addPresence(&request, line)
  }

  /// If an identity needs presence, asks the person at the terminal for a credential.
  private static func addPresence(_ request: inout RequestApprove.Request, _ line: Invocation) throws(CommandError) {
    guard Terminal.isInput, !line.has("json"), !CredentialSource.isNamed(in: line),
      let result = try askDaemonWhole(RequestList.call(Nothing()), home(line)),
      let question = PresenceQuestion.text(for: request.answer, in: try RequestList.answer(result).requests)
    else { return }
    request.credential.passphrase = try secret("The passphrase") { () throws(SecretInputError) in try SilentPrompt().ask(question)
    }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    let lasting = LastingAnswer(request.answer, line)
    let result = try performWhole(Operation.call(request), line)
    let exit = try show(result, line)
    try Operation.answer(result).say(lasting?.approved, line)
    return exit
  }

  static func text(_ answer: AnsweredRequests, _ reader: Reader) -> String { answer.text("Approved") }

  static func next(_ answer: AnsweredRequests, _ line: Invocation) -> String? { answer.next(line) }
}

/// Decides whether an approval needs presence, and how a terminal asks for it.
enum PresenceQuestion {
  /// - Parameter waiting: the waiting requests.
  /// - Returns: the question for the passphrase. Nil if none of the requests needs presence, or if only a passkey will do.
  static func text(for answer: RequestAnswer, in waiting: [WaitingRequest]) -> String? {
    let ids = (answer.id.map { [$0] } ?? []) + (answer.ids ?? [])
    let meant = waiting.filter { request in ids.contains { !$0.isEmpty && request.id.hasPrefix($0) } }
    guard let first = meant.first(where: { $0.presence == .passcode || $0.presence == .passkeyOrPasscode }) else { return nil }
    return "\(shown(first.identity.name)) asks you for each use of its key. Passphrase: "
  }
}
