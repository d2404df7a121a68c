import OwnerAPI
import ResponseTexts

/// The requests that one question answers, one line each. What is serious is marked, and explained where it would be approved.
struct AnswerList {
  /// The most lines of one list in a question.
  static let mostLines = 20
  /// The most requests that are explained below their lines. What the signer warns of is said of all.
  private static let mostExplained = 5

  private let verb: AnswerVerb
  private let requests: [WaitingRequest]

  /// - Parameter requests: at least one.
  init(_ verb: AnswerVerb, _ requests: [WaitingRequest]) { (self.verb, self.requests) = (verb, requests) }

  /// Lines, without a line break at the end.
  var text: String {
    let lines = LimitedLines(requests, isSerious: RequestLine.isSerious)
    let explained = Set(lines.shown.filter(isExplained).prefix(Self.mostExplained).map(\.id))
    let texts = lines.shown.map { request in
      guard explained.contains(request.id) else {
        let warned = isExplained(request) ? RequestText.warnedOf(request).map { "  " + $0 } : []
        return (["  " + RequestLine.text(request)] + warned).joined(separator: "\n")
      }
      return
        (["  " + RequestLine.explained(request)]
        + RequestText.explanation(request, isOneOfMany: requests.count > 1).map { "  " + $0 }).joined(
          separator: "\n")
    }
    let isCut = lines.shown.contains { isExplained($0) && !explained.contains($0.id) }
    let further = isCut ? ["  To read one in full: holdfast request show ID"] : []
    return ([heading] + texts + (lines.rest.map { ["  \($0): holdfast request list --full"] } ?? []) + further)
      .joined(separator: "\n")
  }

  /// A line for each request, and how many more there are.
  static func lines(_ requests: [WaitingRequest]) -> String {
    let lines = LimitedLines(requests, isSerious: RequestLine.isSerious)
    return
      (lines.shown.map { "  " + RequestLine.text($0) } + (lines.rest.map { ["  \($0): holdfast request list --full"] } ?? []))
      .joined(separator: "\n")
  }

  /// How many requests of which apps wait, and how many of them are serious.
  private var heading: String {
    let serious = requests.count(where: RequestLine.isSerious)
    guard requests.count > 1 else {
      if serious == 1 { return "This request is serious:" }
      return RequestText.warns(requests[0]) ? "The signer warns of this request:" : "This request waits:"
    }
    let apps = Set(requests.map(\.client.pubkey)).count
    let whose = apps == 1 ? quoted(requests[0].client.shownName) : "\(apps) apps"
    return "\(requests.count) requests of \(whose) wait" + (serious == 0 ? ":" : ", \(serious) of them serious (!):")
  }

  private func isExplained(_ request: WaitingRequest) -> Bool {
    verb == .approve && (RequestLine.isSerious(request) || RequestText.warns(request) || requests.count == 1)
  }
}

/// The entries of a list that stand in a question: the first ones, and of a long list above all the serious ones.
struct LimitedLines<Entry> {
  let shown: [Entry]
  /// What is said of the others, as in “and 5 more, 2 of them serious”; nil for none.
  let rest: String?

  init(_ entries: [Entry], isSerious: (Entry) -> Bool) {
    guard entries.count > AnswerList.mostLines else {
      (shown, rest) = (entries, nil)
      return
    }
    let ordered = entries.filter(isSerious) + entries.filter { !isSerious($0) }
    shown = Array(ordered.prefix(AnswerList.mostLines))
    let left = ordered.dropFirst(AnswerList.mostLines)
    let serious = left.count(where: isSerious)
    rest = "and \(left.count) more" + (serious > 0 ? ", \(serious) of them serious" : "")
  }
}
