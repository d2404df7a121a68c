import CommandLine
import CredentialOptions
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast request approve`
enum RequestApproveCommand: AnswerCommand {
  typealias Operation = RequestApprove

  static let verb = AnswerVerb.approve

  static let place = Command(
    "approve", "Approve waiting requests", discussion: RequestArguments.meaning, arguments: [RequestArguments.ids],
    options: [
      RequestArguments.duration, RequestArguments.permission, RequestArguments.allLike, RequestArguments.allOfApp,
      .flag(
        "yes",
        "Do not ask for confirmation. At a terminal you are asked about serious requests, such as a deletion, --for always, "
          + "--all-like and --app. Without a terminal, or with --json, nobody is asked, and --app needs this for serious requests"
      ),
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

  static func answer(in request: RequestApprove.Request) -> RequestAnswer { request.answer }

  /// Refuses, before the owner is asked, an approval that the signer would refuse after the answer.
  static func ask(_ request: inout RequestApprove.Request, _ line: Invocation, at place: AnswerPlace) throws(CommandError) {
    if CredentialSource.isNamed(in: line) { request.credential = try credential(line) }
    let (requests, waiting) = try request.answer.find(line)
    let check = AnswerCheck(request.answer, of: requests)
    try check.checkUnlocked(line)
    try check.checkLasts { duration in
      guard case .watched(let number, _) = place else { return again(line, for: duration) }
      return "type a \(number)" + (duration.map { " \($0.rawValue)" } ?? "")
    }
    if line.has("app") { try AppsRequests.checkCanApprove(requests, line) }
    let question = AnswerQuestion(
      verb, request.answer, of: requests, among: waiting, isOfMany: RequestAnswer.isOfMany(line), at: place)
    try confirm(question.text, line)
    try addPresence(&request, requests, line)
  }

  /// If an identity needs presence, asks the person at the terminal for a credential.
  private static func addPresence(
    _ request: inout RequestApprove.Request, _ requests: [WaitingRequest], _ line: Invocation
  ) throws(CommandError) {
    guard Terminal.isInput, !line.has("json"), !CredentialSource.isNamed(in: line),
      let question = PresenceQuestion.text(for: requests)
    else { return }
    request.credential.passphrase = try secret("The passphrase") { () throws(SecretInputError) in try SilentPrompt().ask(question)
    }
  }

  static func tellsOutcome(of answer: AnsweredRequests, _ line: Invocation) -> Bool {
    guard !line.has("json") else { return false }
    let outcome = ApprovalOutcome(of: answer.answered, home(line))
    if let text = outcome.text { Output.warning(suggested(line).text(text)) }
    return outcome.isBad
  }
}

/// Decides whether an approval needs presence, and how a terminal asks for it.
enum PresenceQuestion {
  /// - Parameter requests: those that are approved.
  /// - Returns: the question for the passphrase. Nil if none of the requests needs presence, or if only a passkey will do.
  static func text(for requests: [WaitingRequest]) -> String? {
    requests.first { isTyped($0.presence) }.map {
      "Passphrase (\(shown($0.identity.name)) asks you for each use of its key): "
    }
  }

  /// Whether a passphrase is such a proof.
  static func isTyped(_ proof: PresenceProof?) -> Bool { proof == .passcode || proof == .passkeyOrPasscode }
}
