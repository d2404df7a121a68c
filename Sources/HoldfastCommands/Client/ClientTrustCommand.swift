import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client trust`
enum ClientTrustCommand: AppCommand {
  typealias Operation = AppTrust

  static let place = Command(
    "trust", "Set how much an app is trusted",
    discussion: "\(SharedOptions.trustMeaning). Full trust is asked about at a terminal. \(ClientArguments.wholeToAllow)",
    arguments: [ClientArguments.client, ClientArguments.trust], options: [SharedOptions.yes],
    examples: [Example("holdfast client trust amethyst low", "ask you about everything it wants")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppTrust.Request {
    ClientArguments.trust(ClientArguments.app(line), line)
  }

  static func check(_ line: Invocation) throws(CommandError) { try ClientArguments.checkExists(line) }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if !line.has("json"), let app = ClientArguments.found(line)?.summary, !app.isFirstUse,
      app.trust.rawValue == line.needed("trust")
    {
      return printLine("\(quoted(app.shownName)) already has \(app.trust.rawValue) trust. Nothing was changed.", line)
    }
    return try show(try performWhole(Operation.call(try asked(line)), line), line)
  }

  static func complete(_ request: inout AppTrust.Request, _ line: Invocation) throws(CommandError) {
    guard !LockedNote.isShut(line) else { return }
    try ClientArguments.confirmed(&request.app, line) { question(about: $0, line) }
  }

  private static func question(about app: AppDetail, _ line: Invocation) -> String? {
    let (trust, named) = (line.needed("trust"), ClientArguments.named(app, line))
    if trust == Trust.full.rawValue {
      return TrustWords.fullQuestion(named) + " Set it?"
    }
    return trust == Trust.low.rawValue || ClientArguments.isWhole(app, line) ? nil : "Set \(trust) trust for \(named)?"
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let meaning = TrustWords.meaning(answer.summary.trust) + "."
    let paused = answer.summary.isPaused ? " It is paused, and asks you about everything until you resume it." : ""
    let rules =
      answer.grant.rules.isEmpty
      ? "" : " But its own rules decide first. To see them: holdfast client show \(AppText.digits(of: answer.summary))"
    let done = "\(quoted(answer.summary.shownName)) now has \(answer.summary.trust.rawValue) trust: \(meaning)\(rules)\(paused)"
    return AppText.changed([done, waiting(answer.summary, line)].compactMap { $0 }.joined(separator: "\n"), line)
  }

  /// What waited before goes on waiting, whatever the new trust allows: the owner was asked, and answers it himself.
  static func waiting(_ app: AppSummary, _ line: Invocation) -> String? {
    guard let result = try? askDaemonWhole(RequestList.call(.init(of: app.pubkey)), home(line)),
      let waiting = try? RequestList.answer(result).requests, !waiting.isEmpty
    else { return nil }
    let digits = AppText.digits(of: app)
    return waitingOn(waiting.count, digits)
  }

  /// - Parameter digits: by which commands find the app.
  static func waitingOn(_ count: Int, _ digits: String) -> String {
    "\(count == 1 ? "1 request of it still waits" : "\(count) requests of it still wait") for you: holdfast request list --app \(digits)"
  }
}
