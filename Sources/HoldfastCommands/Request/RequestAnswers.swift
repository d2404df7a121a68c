import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

extension RequestAnswer {
  /// The requests that a command line names, and how long the answer is remembered.
  init(_ line: Invocation) throws(UsageError) {
    self.init()
    let named = line.arguments("ids")
    try Self.checkNamesOnce(line)
    // A single request is treated differently from several: if it is missing, that is an error and not a remark.
    if named.count == 1 { id = named[0] } else if !named.isEmpty { ids = named }
    remember = try line.duration("for", once: true)
    permission = try line.value("permission").map { text throws(UsageError) in try ClientArguments.permission(text) }
    guard permission == nil || remember ?? .once != .once else {
      throw .refused(
        sentence: "--permission says what a lasting answer is for, so it needs --for. Nothing was answered.",
        hint: "For example: holdfast \(line.name) ID --for 1h --permission sign_event:1")
    }
  }

  /// The waiting requests that it names, each once. What the signer takes for no id, or for several ones, names none.
  func meant(among waiting: [WaitingRequest]) -> [WaitingRequest] {
    let named = (id.map { [$0] } ?? []) + (ids ?? [])
    let meant = Set(
      named.compactMap { digits -> String? in
        if waiting.contains(where: { $0.id == digits }) { return digits }
        let found = waiting.filter { $0.id.hasPrefix(digits) }
        return digits.utf8.count >= Self.fewestDigits && found.count == 1 ? found[0].id : nil
      })
    return waiting.filter { meant.contains($0.id) }
  }

  /// Requests that wait and are not answered, but that the rules of a lasting approval allow: what they are for is the same.
  func alsoApproved(by requests: [WaitingRequest], among waiting: [WaitingRequest]) -> [WaitingRequest] {
    waiting.filter { other in
      !requests.contains { $0.id == other.id }
        && requests.contains {
          Self.covers(permission ?? $0.remember.permission, other) && $0.client.signer == other.client.signer
        }
    }
  }

  /// Whether a permission is that of a request, or a broader one. What counts once is never allowed by a rule.
  private static func covers(_ permission: String, _ request: WaitingRequest) -> Bool {
    let needed = request.remember.permission
    guard !request.offers.isEmpty, request.offers != [.once], !asksAnyway.contains(request.rule) else { return false }
    return needed == permission || needed.hasPrefix(permission + "@")
      || permission == "sign_event" && needed.hasPrefix("sign_event:")
  }

  /// The names of rules that ask although another one allows what is asked.
  private static let asksAnyway: Set<String> = [
    "payment-address", "self-decryption", "dated-ahead", "zap-split", "deletes-list", "minute-limit", "hour-limit", "day-limit",
    "budget",
  ]

  /// The fewest digits that the signer takes for an id.
  private static let fewestDigits = 4

  /// Requests are named in one way: by ids, by one that they are like, or by their app.
  private static func checkNamesOnce(_ line: Invocation) throws(UsageError) {
    let ways = [!line.arguments("ids").isEmpty, line.has("all-like"), line.has("app"), line.has("all")].count { $0 }
    guard ways != 1 else { return }
    guard ways == 0 else {
      throw .refused(
        sentence: "Give one of these: ids, --all-like ID, --app APP\(line.name == "request deny" ? " or --all" : "").",
        hint: "See: holdfast request list")
    }
    throw .refused(
      sentence: "'\(line.name)' needs the id of a waiting request.", hint: "To see the ids: holdfast request list")
  }

  /// Whether the requests are named by what they have in common: `--all-like ID`, `--app APP` or `--all`.
  static func isOfMany(_ line: Invocation) -> Bool { line.has("app") || line.has("all-like") || line.has("all") }

  /// Whether a person is asked at all.
  static func canAsk(_ line: Invocation) -> Bool { Terminal.isInput && !line.has("json") && !line.has("yes") }

  /// Finds the requests that are answered. Those that have something in common are named one by one, so that none is answered that came
  /// after the owner was asked.
  /// - Returns: those, and all that wait if they were named one by one.
  mutating func find(_ line: Invocation) throws(CommandError) -> (meant: [WaitingRequest], waiting: [WaitingRequest]) {
    guard Self.isOfMany(line) else {
      let waiting = try RequestList.answer(try performWhole(RequestList.call(.init()), line)).requests
      return (meant(among: waiting), waiting)
    }
    let found =
      if let app = line.value("app") {
        try AppsRequests.of(app, line)
      } else if let id = line.value("all-like") {
        try AlikeRequests.of(id, line)
      } else {
        try AppsRequests.ofAll(line)
      }
    ids = found.map(\.id)
    return (found, [])
  }
}

extension AnsweredRequests {
  /// How requests that are left are answered; nil if none is left.
  func next(_ line: Invocation) -> String? { alike.map { left($0, "holdfast \(line.name)") } }

  /// Says what the answer does besides, below the result.
  func say(_ told: String?, _ line: Invocation) {
    guard let told, !answered.isEmpty, !line.has("json") else { return }
    _ = printLine(told, line)
  }

  /// Says which requests were not answered, and tells it to scripts.
  func exit(_ shown: ExitCode, _ line: Invocation) -> ExitCode {
    guard !missing.isEmpty else { return shown }
    if !line.has("json") {
      Output.warning(missing.map { "Not answered: \(ResponseTexts.shown($0.id)): \(ours($0.why))." }.joined(separator: "\n"))
    }
    return .notFound
  }

  private func left(_ ids: [String], _ command: String) -> String {
    let last = ids[ids.count - 1]
    guard ids.count > 1 else { return "1 more like it waits: \(command) \(shown(last))" }
    return "\(ids.count) more like it wait. To answer all of them the same: \(command) --all-like \(shown(last))"
  }

  private func done(_ verb: String) -> String {
    title.map { "\(verb): \(foreign($0))." } ?? (answered.count == 1 ? "\(verb)." : "\(verb): \(answered.count) requests.")
  }

  /// The result of an answer to one or more requests.
  func text(_ verb: AnswerVerb) -> String {
    var lines = [answered.isEmpty ? "Nothing was \(verb.done): none of these requests waits." : done(verb.result)]
    if !also.isEmpty { lines.append("Your new rule answered \(also.count) more.") }
    return lines.joined(separator: "\n")
  }
}
