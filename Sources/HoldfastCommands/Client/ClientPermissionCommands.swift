import CommandLine
import OwnerAPI
import OwnerOperations
import RemoteSigning
import ResponseTexts

/// `holdfast client allow`
enum ClientAllowCommand: AppCommand {
  typealias Operation = AppAllow

  static let place = Command(
    "allow", "Allow one or more kinds of requests without asking", discussion: ClientArguments.placesMeaning,
    arguments: [ClientArguments.client, ClientArguments.permissions], options: [ClientArguments.duration, SharedOptions.yes],
    examples: [
      Example("holdfast client allow amethyst sign_event:1", "let it post notes without asking"),
      Example("holdfast client allow amethyst sign_event:1 sign_event:7 nip44_encrypt", "several at once: all or none"),
      Example("holdfast client allow amethyst sign_event:0 --for 1h", "let it edit the profile for an hour"),
      Example("holdfast client allow web 'sign_event:27235@POST https://host/upload' --for 1w", "one web login, for a week"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest { try permission(line) }

  static func check(_ line: Invocation) throws(CommandError) { try ClientArguments.checkExists(line) }

  /// Asks about permissions for which even an app with medium trust must ask the owner.
  static func question(_ line: Invocation) -> String? {
    let serious = line.arguments("permission").filter { Permission(parsing: $0)?.asksUnlessFull == true }
    guard !serious.isEmpty, !LockedNote.isShut(line) else { return nil }
    let others = line.arguments("permission").count - serious.count
    let rest = others == 0 ? "" : others == 1 ? ", and 1 that is not serious" : ", and \(others) that are not serious"
    return """
      This is serious: \(ClientArguments.named(line)) may then do \(ClientArguments.inWords(serious))\(time(line)) \
      without asking you\(rest). Allow \(line.arguments("permission").count == 1 ? "that" : "all of that")?
      """
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let done = changed(answer, line) { "\($0) may now do \($1)\(time(line)) without asking." }
    return [done, kindsThatStillAsk(answer, line)].compactMap { $0 }.joined(separator: "\n")
  }

  private static func kindsThatStillAsk(_ answer: AppDetail, _ line: Invocation) -> String? {
    guard line.arguments("permission").contains("sign_event"), answer.summary.trust != .full else { return nil }
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
    "deny", "Deny one or more kinds of requests", discussion: ClientArguments.placesMeaning,
    arguments: [ClientArguments.client, ClientArguments.permissions],
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
    "ask", "Be asked before one or more kinds of requests, whatever the app's trust",
    arguments: [ClientArguments.client, ClientArguments.permissions],
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
    "forget", "Remove rules made by allow, deny or ask",
    arguments: [ClientArguments.client, ClientArguments.permissions],
    examples: [Example("holdfast client forget amethyst sign_event:1", "the app's trust decides again")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppForget.Request {
    var request = AppForget.Request()
    request.app = ClientArguments.app(line)
    request.named = try ClientArguments.namedPermissions(line)
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

/// One line for each permission.
private func changed(
  _ answer: AppDetail, _ line: Invocation, _ sentence: (_ app: String, _ permission: String) -> String
) -> String {
  let app = quoted(answer.summary.shownName)
  return AppText.changed(
    line.arguments("permission").map { sentence(app, foreign($0, limit: 300)) }.joined(separator: "\n"), line)
}

/// For how long, as the command line says it.
private func time(_ line: Invocation) -> String {
  let duration = (try? line.duration("for")) ?? nil
  return duration?.length.map { " for \($0)" } ?? ""
}

private func permission(_ line: Invocation) throws(UsageError) -> PermissionRequest {
  var request = PermissionRequest()
  request.app = ClientArguments.app(line)
  request.named = try ClientArguments.namedPermissions(line)
  request.duration = try line.duration("for")
  return request
}
