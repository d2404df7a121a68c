import CommandLine
import OwnerAPI
import OwnerOperations
import RemoteSigning
import ResponseTexts

/// `holdfast client allow`
enum ClientAllowCommand: AppCommand {
  typealias Operation = AppAllow

  static let place = Command(
    "allow", "Allow one kind of request without asking", discussion: ClientArguments.placesMeaning,
    arguments: [ClientArguments.client, ClientArguments.permission], options: [ClientArguments.duration, SharedOptions.yes],
    examples: [
      Example("holdfast client allow amethyst sign_event:1", "let it post notes without asking"),
      Example("holdfast client allow amethyst sign_event:0 --for 1h", "let it edit the profile for an hour"),
      Example("holdfast client allow web 'sign_event:27235@POST https://host/upload' --for 1w", "one web login, for a week"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest { try permission(line) }

  static func check(_ line: Invocation) throws(CommandError) { try ClientArguments.checkExists(line) }

  /// Asks about a permission for which even an app with medium trust must ask the owner.
  static func question(_ line: Invocation) -> String? {
    guard let permission = Permission(parsing: line.needed("permission")), permission.asksUnlessFull,
      !LockedNote.isShut(line)
    else { return nil }
    return """
      This is serious: \(ClientArguments.named(line)) may then do \(foreign(permission.description, limit: 300))\(time(line)) \
      without asking you. Allow that?
      """
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let done = changed(answer, line) { "\($0) may now do \($1)\(time(line)) without asking." }
    return [done, kindsThatStillAsk(answer, line)].compactMap { $0 }.joined(separator: "\n")
  }

  private static func kindsThatStillAsk(_ answer: AppDetail, _ line: Invocation) -> String? {
    guard line.needed("permission") == "sign_event", answer.summary.trust != .full else { return nil }
    return """
      Note: sign_event alone covers ordinary kinds such as notes and likes. Profile (0), follow list (3), deletion (5) and other protected \
      kinds still ask. Allow such a kind by its number: sign_event:3
      """
  }
}

/// `holdfast client deny`
enum ClientDenyCommand: AppCommand {
  typealias Operation = AppDeny

  static let place = Command(
    "deny", "Deny one kind of request", discussion: ClientArguments.placesMeaning,
    arguments: [ClientArguments.client, ClientArguments.permission],
    options: [ClientArguments.duration])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest { try permission(line) }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    changed(answer, line) { "\($0) may not do \($1)\(time(line))." }
  }
}

/// `holdfast client ask`
enum ClientAskCommand: AppCommand {
  typealias Operation = AppAsk

  static let place = Command(
    "ask", "Be asked before one kind of request, whatever the app's trust",
    arguments: [ClientArguments.client, ClientArguments.permission],
    options: [ClientArguments.duration])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest { try permission(line) }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    changed(answer, line) { "\($0) asks you about \($1)\(time(line))." }
  }
}

/// `holdfast client forget`
enum ClientForgetCommand: AppCommand {
  typealias Operation = AppForget

  static let place = Command(
    "forget", "Remove a rule made by allow, deny or ask",
    arguments: [ClientArguments.client, ClientArguments.permission],
    examples: [Example("holdfast client forget amethyst sign_event:1", "the app's trust decides again")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppForget.Request {
    var request = AppForget.Request()
    request.app = ClientArguments.app(line)
    request.permission = try ClientArguments.permission(line)
    return request
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    changed(answer, line) { "The rule for \($1) is removed. The trust of \($0) decides again." }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    do throws(CommandError) { return try show(try performWhole(Operation.call(request), line), line) } catch {
      guard error.hint == seeRules else { throw error }
      throw CommandError(error.exit, error.error, hint: "\(seeRules) \(AppText.asTyped(line))")
    }
  }

  /// The signer's hint where an app has no such rule. It lacks the app.
  private static let seeRules = "See: holdfast client show"
}

extension Permission {
  /// Whether such a request of an app with medium trust waits for the owner.
  fileprivate var asksUnlessFull: Bool {
    Policy.decision(for: .example(of: self), under: Grant(trust: .medium), at: 0, in: .init(settings: PolicySettings())).verdict
      != .allow
  }
}

private func changed(
  _ answer: AppDetail, _ line: Invocation, _ sentence: (_ app: String, _ permission: String) -> String
) -> String {
  AppText.changed(sentence(quoted(answer.summary.shownName), foreign(line.needed("permission"), limit: 300)), line)
}

/// For how long, as the command line says it.
private func time(_ line: Invocation) -> String {
  let duration = (try? line.duration("for")) ?? nil
  return duration?.length.map { " for \($0)" } ?? ""
}

private func permission(_ line: Invocation) throws(UsageError) -> PermissionRequest {
  var request = PermissionRequest()
  request.app = ClientArguments.app(line)
  request.permission = try ClientArguments.permission(line)
  request.duration = try line.duration("for")
  return request
}
