import CommandLine
import Curve
import OwnerAPI
import OwnerOperations
import OwnerWords
import RemoteSigning
import RequestPreview
import ResponseTexts

/// `holdfast client allow`
enum ClientAllowCommand: AppCommand {
  typealias Operation = AppAllow

  static let place = Command(
    "allow", "Allow one or more kinds of requests without asking",
    discussion: "\(ClientArguments.placesMeaning) \(ClientArguments.wholeToAllow)",
    arguments: [ClientArguments.client, ClientArguments.permissions], options: [ClientArguments.duration, SharedOptions.yes],
    examples: [
      Example("holdfast client allow amethyst sign_event:1", "let it post notes without asking"),
      Example("holdfast client allow amethyst sign_event:1 sign_event:7 nip44_encrypt", "several at once: all or none"),
      Example("holdfast client allow amethyst sign_event:0 --for 1h", "let it edit the profile for an hour"),
      Example("holdfast client allow web 'sign_event:27235@POST https://host/upload' --for 1w", "one web login, for a week"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PermissionRequest {
    try PermissionChange.request(line)
  }

  /// Refuses, before the owner is asked, a permission that the signer would refuse after the answer.
  static func check(_ line: Invocation) throws(CommandError) {
    try ClientArguments.checkExists(line)
    guard RequestAnswer.canAsk(line), let app = ClientArguments.found(line) else { return }
    let identity = identity(of: app, line)
    var grant = Grant(trust: .low)
    do throws(GrantError) {
      for permission in line.arguments("permission").compactMap({ Permission(typed: $0, of: identity) }) {
        try grant.set(.allow, permission, for: Remembered(duration(line)), of: identity.flatMap { PublicKey(hex: $0) }, at: 0)
      }
    } catch { throw CommandError(OperationError(error)) }
  }

  /// Asks about permissions for which even an app with medium trust must ask the owner, about wide ones for an app with low trust, and about an
  /// app that was not named in full.
  /// - Parameter identity: whose key the app uses, in hex; nil if nobody says.
  static func question(about app: AppDetail, of identity: String?, _ line: Invocation) -> String? {
    let permissions = line.arguments("permission")
    let isSerious = { (text: String) in
      guard let permission = Permission(typed: text, of: identity) else { return false }
      return permission.asksUnlessFull(identity) || app.summary.trust == .low && permission.isWide
    }
    let hasSerious = permissions.contains(where: isSerious)
    guard hasSerious || !ClientArguments.isWhole(app, line) else { return nil }
    let lasting = LastingAnswer(
      allowing: permissions, for: duration(line), of: RequestingApp(app.summary), identity: identity,
      named: ClientArguments.named(app, line), isSerious: isSerious)
    let isOne = permissions.count == 1
    return (isOne && hasSerious ? "This is serious. " : "") + lasting.approves + "\nAllow \(isOne ? "it" : "all of it")?"
  }

  static func complete(_ request: inout PermissionRequest, _ line: Invocation) throws(CommandError) {
    guard !LockedNote.isShut(line) else { return }
    try ClientArguments.confirmed(&request.app, line) { question(about: $0, of: identity(of: $0, line), line) }
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    let exceptions = Permission.stillAsked(line.arguments("permission").compactMap { Permission(typed: $0, of: nil) })
    let done = PermissionChange.lasting(answer, line) { app, permission in
      "\(app) may now do \(inWords(permission))\(PermissionChange.time(line)) without asking."
    }
    return [done, exceptions, kindsThatStillAsk(answer, line)].compactMap { $0 }.joined(separator: "\n")
  }

  /// `sign_event:1 (notes from this app)`. What is narrowed to a person or place says that itself.
  private static func inWords(_ permission: String) -> String {
    let isNarrow = permission.utf8.contains(UInt8(ascii: "@"))
    return permission + (isNarrow ? "" : PermissionWords(typed: permission, of: nil).map { " (\($0.label))" } ?? "")
  }

  private static func duration(_ line: Invocation) -> OwnerAPI.Duration { ((try? line.duration("for")) ?? nil) ?? .always }

  private static func identity(of app: AppDetail, _ line: Invocation) -> String? {
    guard let found = try? askDaemonWhole(IdentityList.call(Nothing()), home(line)) else { return nil }
    return (try? IdentityList.answer(found))?.identities.first { $0.name == app.summary.identity }?.pubkey
  }

  private static func kindsThatStillAsk(_ answer: AppDetail, _ line: Invocation) -> String? {
    guard line.arguments("permission").contains("sign_event"), answer.summary.trust != .full else { return nil }
    return """
      Note: sign_event alone covers ordinary kinds such as notes and likes. Profile (0), follow list (3), deletion (5) and other protected \
      kinds still ask. Allow such a kind by its number: sign_event:3
      """
  }
}

extension Permission {
  /// Whether it lets an app read every message, or sign every everyday kind.
  fileprivate var isWide: Bool { kind == nil && scope == nil && (method == .signEvent || method.isDecryption) }

  /// Whether such a request of an app with medium trust waits for the owner.
  fileprivate func asksUnlessFull(_ identity: String?) -> Bool {
    if longestAllowance(of: identity.flatMap { PublicKey(hex: $0) }) != .always { return true }
    return Policy.decision(
      for: .example(of: self), under: Grant(trust: .medium), at: 0, in: .init(settings: PolicySettings())
    ).verdict != .allow
  }
}

extension RequestingApp {
  /// A paired app.
  fileprivate init(_ app: AppSummary) {
    self.init()
    (pubkey, signer, name) = (app.pubkey, app.signer, app.name)
  }
}
