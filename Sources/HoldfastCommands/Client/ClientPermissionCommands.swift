import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client deny`
enum ClientDenyCommand: AppCommand {
  typealias Operation = AppDeny

  static let place = Command(
    "deny", "Deny one or more kinds of requests", discussion: ClientArguments.placesMeaning,
    arguments: [ClientArguments.client, ClientArguments.permissions],
    options: [ClientArguments.duration])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest {
    try PermissionChange.request(line)
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    PermissionChange.lasting(answer, line) { "\($0) may not do \($1)\(PermissionChange.time(line))." }
  }
}

/// `holdfast client ask`
enum ClientAskCommand: AppCommand {
  typealias Operation = AppAsk

  static let place = Command(
    "ask", "Be asked before one or more kinds of requests, whatever the app's trust",
    arguments: [ClientArguments.client, ClientArguments.permissions],
    options: [ClientArguments.duration])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest {
    try PermissionChange.request(line)
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    PermissionChange.lasting(answer, line) { "\($0) asks you about \($1)\(PermissionChange.time(line))." }
  }
}

/// `holdfast client forget`
enum ClientForgetCommand: AppCommand {
  typealias Operation = AppForget

  static let place = Command(
    "forget", "Remove rules made by allow, deny or ask",
    discussion: """
      A rule for one person or place is named as 'holdfast client show' shows it, or by the beginning of its permission with at \
      least 4 characters of the person or place.
      """,
    arguments: [ClientArguments.client, ClientArguments.permissions],
    examples: [Example("holdfast client forget amethyst sign_event:1", "the app's trust decides again")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppForget.Request {
    var request = AppForget.Request()
    request.app = ClientArguments.app(line)
    let rules = rules(line)
    let permissions = line.arguments("permission").map { RuleWords.whole($0, among: rules) }
    try PermissionFaults.check(permissions)
    request.named = NamedPermissions(permissions)
    return request
  }

  /// The app's rules, from a running signer.
  private static func rules(_ line: Invocation) -> [AppRule] { ClientArguments.found(line)?.grant.rules ?? [] }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    PermissionChange.text(answer, line) { "The rule for \($1) is removed. The trust of \($0) decides again." }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    do throws(CommandError) { return try show(try performWhole(Operation.call(request), line), line) } catch {
      guard error.hint == seeRules else { throw error }
      let rules = rules(line)
      if let meant = line.arguments("permission").lazy.compactMap({ RuleWords.narrower(than: $0, among: rules) }).first {
        throw CommandError(error.exit, error.error, hint: "Did you mean \(foreign(meant, limit: 300))?")
      }
      throw CommandError(error.exit, error.error, hint: "\(seeRules) \(AppText.asTyped(line))")
    }
  }

  /// The signer's hint where an app has no such rule. It lacks the app.
  private static let seeRules = "See: holdfast client show"
}

/// What the commands that change permissions have in common.
enum PermissionChange {
  static func request(_ line: Invocation) throws(UsageError) -> PermissionRequest {
    var request = PermissionRequest()
    request.app = ClientArguments.app(line)
    request.named = try ClientArguments.namedPermissions(line)
    request.duration = try line.duration("for")
    return request
  }

  /// One line for each permission.
  static func text(
    _ answer: AppDetail, _ line: Invocation, _ sentence: (_ app: String, _ permission: String) -> String
  ) -> String { AppText.changed(lines(answer, line, sentence).joined(separator: "\n"), line) }

  /// The same, and how long it holds.
  static func lasting(
    _ answer: AppDetail, _ line: Invocation, _ sentence: (_ app: String, _ permission: String) -> String
  ) -> String {
    let duration = ((try? line.duration("for")) ?? nil) ?? .always
    let holds = HoldingText.text(duration, from: Reader.present.now, ending: HoldingText.forgetting(line))
    let lines = lines(answer, line, sentence)
    return AppText.changed(lines.joined(separator: "\n") + (lines.count == 1 ? " " : "\n") + holds, line)
  }

  private static func lines(
    _ answer: AppDetail, _ line: Invocation, _ sentence: (_ app: String, _ permission: String) -> String
  ) -> [String] {
    let app = quoted(answer.summary.shownName)
    return line.arguments("permission").map { sentence(app, foreign($0, limit: 300)) }
  }

  /// For how long, as the command line says it.
  static func time(_ line: Invocation) -> String {
    let duration = (try? line.duration("for")) ?? nil
    return duration?.length.map { " for \($0)" } ?? ""
  }
}
