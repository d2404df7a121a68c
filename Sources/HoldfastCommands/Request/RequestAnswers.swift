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

  /// The waiting requests that it names.
  func meant(among waiting: [WaitingRequest]) -> [WaitingRequest] {
    let ids = (id.map { [$0] } ?? []) + (self.ids ?? [])
    return waiting.filter { request in ids.contains { !$0.isEmpty && request.id.hasPrefix($0) } }
  }

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

  /// `--all-like ID`, `--app APP` and `--all`: the requests are named one by one, so that none is answered that came after the owner was asked.
  /// - Returns: the requests of the app; empty without `--app`.
  mutating func addMeant(_ line: Invocation, verb: String) throws(CommandError) -> [WaitingRequest] {
    if let id = line.value("all-like") { try addAlike(id, line, verb) }
    if line.has("all") { ids = try AppsRequests.ofAll(verb, line).map(\.id) }
    guard let app = line.value("app") else { return [] }
    let waiting = try AppsRequests.of(app, line)
    ids = waiting.map(\.id)
    try confirm(AppsRequests.question(verb, waiting, lasting: lasting(verb, waiting)), line)
    return waiting
  }

  /// What the answer does besides, in a sentence for a question; nil if nothing is remembered.
  func lasting(_ verb: String, _ waiting: [WaitingRequest]) -> String? {
    remember.flatMap { $0 == .once ? nil : LastingAnswer(self, $0, of: waiting) }.map { verb == "Deny" ? $0.denies : $0.approves }
  }

  /// Whether the question at a terminal named each request and what the answer does besides: it is not repeated then.
  static func asksOfAll(_ line: Invocation) -> Bool { line.has("app") || line.has("all-like") }

  /// Whether a person is asked at all.
  static func canAsk(_ line: Invocation) -> Bool { Terminal.isInput && !line.has("json") && !line.has("yes") }

  private mutating func addAlike(_ id: String, _ line: Invocation, _ verb: String) throws(CommandError) {
    var meant = RequestShow.Request()
    meant.id = id
    let named = try RequestShow.answer(try performWhole(RequestShow.call(meant), line)).request.id
    let waiting = try RequestList.answer(try performWhole(RequestList.call(.init()), line)).requests
    guard let alike = AlikeRequests.of(named, in: waiting) else {
      throw CommandError(.notFound, "No waiting request has that id.", hint: "See: holdfast request list")
    }
    if waiting.contains(where: { $0.id == named && $0.risk == .grave }) {
      throw CommandError(
        .usage, "This request is serious, and serious ones are answered one by one. Nothing was answered.",
        hint: "To read it: holdfast request show \(shown(named)). To answer it: holdfast \(line.name) \(shown(named))")
    }
    if alike.ids.count == 1, !line.has("json") {
      Output.warning(suggested(line).text(AlikeRequests.whyAlone(named, in: waiting, line.name)))
    }
    ids = alike.ids
    let lasting = lasting(verb, waiting).map { "\n\($0)\n\(verb) \(alike.ids.count == 1 ? "it" : "them")?" }
    try confirm(lasting.map { foreign(alike.title) + ":" + $0 } ?? "\(verb) \(foreign(alike.title))?", line)
  }
}

extension AnsweredRequests {
  /// How requests that are left are answered; nil if none is left.
  func next(_ line: Invocation) -> String? { alike.map { left($0, "holdfast \(line.name)") } }

  /// Says what `--for` does besides, below the result.
  func say(_ lasting: String?, _ line: Invocation) {
    guard let lasting, !answered.isEmpty, !line.has("json") else { return }
    _ = printLine(lasting, line)
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
  func text(_ verb: String) -> String {
    var lines = [answered.isEmpty ? "Nothing was \(verb.lowercased()): none of these requests waits." : done(verb)]
    if !also.isEmpty { lines.append("Your new rule answered \(also.count) more.") }
    return lines.joined(separator: "\n")
  }
}
