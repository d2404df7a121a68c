import CommandLine
import CredentialOptions
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast request approve`
enum RequestApproveCommand: OwnerCommand {
  typealias Operation = RequestApprove

  static let place = Command(
    "approve", "Approve waiting requests", discussion: RequestArguments.meaning, arguments: [RequestArguments.ids],
    options: [
      RequestArguments.duration, RequestArguments.permission, RequestArguments.allLike, RequestArguments.allOfApp,
      .flag(
        "yes",
        "Do not ask for confirmation. Without a terminal or with --json, --app refuses serious requests, such as a deletion, unless you "
          + "give this"),
    ],
    examples: [
      Example("holdfast request approve 3f2a", "this request, once"),
      Example("holdfast request approve 3f2a --for 1h", "this and similar requests, for an hour"),
      Example("holdfast request approve --all-like 3f2a", "all waiting requests like this one"),
      Example("holdfast request approve --app amethyst", "all waiting requests of one app"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RequestApprove.Request {
    var request = RequestApprove.Request()
    request.answer = try RequestAnswer(line)
    return request
  }

  static func complete(_ request: inout RequestApprove.Request, _ line: Invocation) throws(CommandError) {
    if CredentialSource.isNamed(in: line) { request.credential = try credential(line) }
    let ofApp = try request.answer.addMeant(line, verb: "Approve")
    try AppsRequests.checkCanApprove(ofApp, line)
    let waiting = try waiting(line)
    if !RequestAnswer.asksOfAll(line) { try askAboutSerious(request.answer, waiting, line) }
    try addPresence(&request, waiting, line)
  }

  /// The waiting requests, for the questions below. Empty if no question can follow.
  private static func waiting(_ line: Invocation) throws(CommandError) -> [WaitingRequest] {
    guard Terminal.isInput, !line.has("json"), let result = try askDaemonWhole(RequestList.call(.init()), home(line)) else {
      return []
    }
    return try RequestList.answer(result).requests
  }

  private static func askAboutSerious(
    _ answer: RequestAnswer, _ waiting: [WaitingRequest], _ line: Invocation
  ) throws(CommandError) {
    let isForGood = answer.remember == .always
    let lasting = answer.lasting("Approve", waiting)
    try confirm(SeriousRequests.question(answer, in: waiting, lasting: lasting, isForGood: isForGood), line)
  }

  /// If an identity needs presence, asks the person at the terminal for a credential.
  private static func addPresence(
    _ request: inout RequestApprove.Request, _ waiting: [WaitingRequest], _ line: Invocation
  ) throws(CommandError) {
    guard Terminal.isInput, !line.has("json"), !CredentialSource.isNamed(in: line),
      let question = PresenceQuestion.text(for: request.answer, in: waiting)
    else { return }
    request.credential.passphrase = try secret("The passphrase") { () throws(SecretInputError) in try SilentPrompt().ask(question)
    }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    let (lasting, admitted) = (told(request, line), NewlyLetIn(request.answer, line))
    let result = try performWhole(Operation.call(request), line)
    let answer = try Operation.answer(result)
    let shown = try show(result, line)
    answer.say(admitted?.text, line)
    answer.say(lasting, line)
    let isBad = tellsOutcome(of: answer, line)
    return answer.exit(isBad ? .failed : shown, line)
  }

  /// What is said of a lasting answer below the result. Asked before the answer: later the requests wait no more.
  static func told(_ request: RequestApprove.Request, _ line: Invocation) -> String? {
    LastingAnswer(request.answer, line).map { lasting in
      let isAsked = RequestAnswer.asksOfAll(line) || lasting.isGrave || lasting.isForGood
      return lasting.told(lasting.approved, wasAsked: isAsked && RequestAnswer.canAsk(line))
    }
  }

  /// Says what became of the requests, if it is not what was meant.
  /// - Returns: whether an app did not get what was approved.
  static func tellsOutcome(of answer: AnsweredRequests, _ line: Invocation) -> Bool {
    guard !line.has("json") else { return false }
    let outcome = ApprovalOutcome(of: answer.answered, home(line))
    if let text = outcome.text { Output.warning(suggested(line).text(text)) }
    return outcome.isBad
  }

  static func text(_ answer: AnsweredRequests, _ reader: Reader) -> String { answer.text("Approved") }

  static func next(_ answer: AnsweredRequests, _ line: Invocation) -> String? { answer.next(line) }
}

/// Decides whether an approval needs presence, and how a terminal asks for it.
enum PresenceQuestion {
  /// - Parameter waiting: the waiting requests.
  /// - Returns: the question for the passphrase. Nil if none of the requests needs presence, or if only a passkey will do.
  static func text(for answer: RequestAnswer, in waiting: [WaitingRequest]) -> String? {
    guard let first = answer.meant(among: waiting).first(where: { $0.presence == .passcode || $0.presence == .passkeyOrPasscode })
    else { return nil }
    return "Passphrase (\(shown(first.identity.name)) asks you for each use of its key): "
  }
}
