import CommandLine
import JSON
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast policy explain`
enum PolicyExplainCommand: OwnerCommand {
  typealias Operation = PolicyExplain

  static let place = Command(
    "explain", "Show what the rules answer now, and with changes",
    discussion: """
      With PERMISSION: what a usual request would get that needs it. Without, it reads a request from standard input: an \
      event, or a whole request as an app would send it. With --log it takes past requests from the log instead, of one app \
      or of all. Nothing is changed. A permission and the log have no contents: where an answer depends on the content, all \
      possible answers are shown.

      A change is one of: trust=low, allow=PERMISSION, deny=PERMISSION, ask=PERMISSION, forget=PERMISSION, per_minute=N, \
      per_hour=N, per_day=N, budget=PERMISSION:N/1d, suspended=true, follow_share=N.
      """,
    arguments: [
      ruledApp,
      Argument(
        "permission", "A permission, such as sign_event:1, instead of a request on standard input", required: false,
        completion: .names("permissions")),
    ],
    options: [
      .flag("log", "Use past requests from the log"), .repeated("change", "EDIT", "Try this change; may be given several times"),
      .value("since", "TIME", "With --log, only entries after this time, such as 7d for 7 days ago, or 2026-12-01"),
      .value("limit", "N", "With --log, at most this many of the newest entries (10000)"),
    ],
    examples: [
      Example("holdfast policy explain amethyst sign_event:1", "what would a note get?"),
      Example(example, "would you be asked for this note?"),
      Example("holdfast policy explain amethyst --log --change trust=low", "what would you have been asked with low trust?"),
    ])

  private static let example = #"echo '{"kind":1,"content":"hi"}' | holdfast policy explain amethyst"#

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PolicyExplain.Request {
    var request = PolicyExplain.Request()
    request.client = line.argument("client")
    request.usesLog = line.has("log")
    request.permission = try line.argument("permission").map { text throws(UsageError) in try ClientArguments.permission(text) }
    guard !request.usesLog || request.permission == nil else {
      throw .refused(
        sentence: "--log explains past requests of all kinds, and takes no permission.",
        hint: "Leave out --log or the permission.")
    }
    request.change = line.values("change")
    for option in ["since", "limit"] where line.has(option) && !request.usesLog { throw .needs(option: option, other: "log") }
    guard request.usesLog || request.client != nil else {
      throw .refused(
        sentence: "'policy explain' needs the app that sends the request.",
        hint: "For example: holdfast policy explain amethyst sign_event:1. For requests in the log, use --log.")
    }
    request.since = try line.moment("since", now)
    request.limit = try line.integer("limit", in: 1...100_000)
    return request
  }

  /// Refuses an unknown app or a change that is none before the event is read, if a signer runs that can say so: it is asked about a note.
  static func check(_ line: Invocation) throws(CommandError) {
    try checkHasVault(line)
    var trial = try usage(line) { () throws(UsageError) in try request(line, 0) }
    guard !trial.usesLog, trial.permission == nil else { return }
    trial.request = ["kind": 1, "content": ""]
    _ = try askDaemonWhole(PolicyExplain.call(trial), home(line))
  }

  static func complete(_ request: inout PolicyExplain.Request, _ line: Invocation) throws(CommandError) {
    if !request.usesLog, request.permission == nil { request.request = try StandardInput.json(example: example) }
  }

  static func text(_ answer: PolicyExplain.Response, _ reader: Reader) -> String {
    if let log = answer.log { return past(log, reader) }
    return answer.request.map(one) ?? ""
  }

  private static func past(_ log: ExplainedLog, _ reader: Reader) -> String {
    let end = log.isCut ? "; older ones were not checked" : ""
    let head = """
      Past requests: \(log.requests). Same answer: \(log.same). Another answer: \(log.differ). Not known, because the log does not \
      keep the content that decides: \(log.depend)\(end).
      """
    let tables = [table(log.differences, title: "WOULD BE", reader), table(log.depending, title: "COULD BE", reader)]
    return ([head] + tables.compactMap { $0 }).joined(separator: "\n\n")
  }

  static func next(_ answer: PolicyExplain.Response, _ line: Invocation) -> String? {
    guard let request = answer.request, line.has("change"), !request.differs, isSame(request) else { return nil }
    return "With the changes, the answer is the same."
  }

  private static func isSame(_ request: ExplainedRequest) -> Bool {
    let (now, changed) = (request.now, request.changed)
    return now.verdict == changed.verdict && now.rule == changed.rule && now.reason == changed.reason
  }

  private static func one(_ request: ExplainedRequest) -> String {
    func answer(_ decision: RuledVerdict) -> String { "\(shown(decision.verdict)) (\(shown(decision.reason)))" }
    let (now, changed) = (request.now, request.changed)
    return pairs([
      ("Request", shown(request.text, limit: 300)), ("App", shown(request.name)), ("Now", answer(now)),
      ("With changes", request.differs || !isSame(request) ? answer(changed) : ""),
      ("By its content", request.outcomes.count > 1 ? request.outcomes.map(answer).joined(separator: "\nor ") : ""),
    ])
  }

  private static func table(_ requests: [PastRequest], title: String, _ reader: Reader) -> String? {
    guard !requests.isEmpty else { return nil }
    var table = TextTable(["N", "TIME", "APP", "REQUEST", "WAS", title, "BECAUSE"], whole: [6], spare: [1])
    for past in requests {
      table.add([
        "\(past.sequence)", date(past.time), past.name, past.permission, past.was.verdict.rawValue,
        each(past.outcomes.map(\.verdict.rawValue)).joined(separator: " or "),
        each(past.outcomes.map(\.reason)).joined(separator: "; or "),
      ])
    }
    return table.text(for: reader)
  }

  /// Each text once: a request may be asked about for two reasons.
  private static func each(_ texts: [String]) -> [String] {
    texts.enumerated().filter { texts.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
}
