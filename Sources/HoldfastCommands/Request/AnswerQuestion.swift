import OwnerAPI
import ResponseTexts

/// What a person at a terminal is asked before requests are answered.
struct AnswerQuestion {
  private let verb: AnswerVerb
  private let requests: [WaitingRequest]
  private let place: AnswerPlace
  /// The rules that the answer makes; nil for none.
  private let lasting: LastingAnswer?
  /// Other waiting requests that the new rules would approve as well.
  private let also: [WaitingRequest]
  /// Whether the requests were named by what they have in common, so that nobody has typed the id of each.
  private let isOfMany: Bool

  /// - Parameters:
  ///   - requests: those that are answered.
  ///   - waiting: all that wait.
  init(
    _ verb: AnswerVerb, _ answer: RequestAnswer, of requests: [WaitingRequest], among waiting: [WaitingRequest] = [],
    isOfMany: Bool, at place: AnswerPlace = .command
  ) {
    (self.verb, self.requests, self.isOfMany, self.place) = (verb, requests, isOfMany, place)
    lasting = LastingAnswer(answer, of: requests)
    also = verb == .approve && lasting != nil ? answer.alsoApproved(by: requests, among: waiting) : []
  }

  /// The question; nil if the answer needs none, or if nothing is answered.
  var text: String? {
    let isAsked = isOfMany || !also.isEmpty || verb == .approve && (lasting?.isForGood == true || isAskedAsSerious)
    guard !requests.isEmpty, isAsked else { return nil }
    let others = also.isEmpty ? nil : "The rule also approves:\n" + AnswerList.lines(also)
    let lines = [
      list, others, lasting.map { verb == .approve ? $0.approves : $0.denies }, verb.question(requests.count + also.count),
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
  }

  /// What the question is about. What a person has read above it is not said again. But the signer may know more of a request by now.
  private var list: String {
    guard case .watched(let number, let read) = place, let request = requests.first, read == RequestText.explanation(request)
    else {
      return AnswerList(verb, requests).text
    }
    return "Request \(number) (\(RequestLine.title(request)))" + (RequestLine.isSerious(request) ? " is serious." : ":")
  }

  /// Nobody approves something serious, or something that the signer warns of, without having seen that.
  ///
  /// A single request whose key needs the passphrase for each use is confirmed by typing it: that request, and no rule.
  private var isAskedAsSerious: Bool {
    let isConfirmedByPassphrase = requests.count == 1 && lasting == nil && PresenceQuestion.isTyped(requests[0].presence)
    return requests.contains { RequestLine.isSerious($0) || RequestText.warns($0) } && !isConfirmedByPassphrase
  }
}
