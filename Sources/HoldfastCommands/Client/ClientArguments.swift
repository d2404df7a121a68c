import CommandLine
import Encodings
import OwnerAPI
import OwnerOperations
import RemoteSigning
import ResponseTexts
import TerminalUI

/// What several commands of `holdfast client` have in common.
enum ClientArguments {
  /// What names an app, in every command.
  static let meaning =
    "The app's name or the first 3 or more letters of it, its public key (hex or npub), or the first 4 or more digits of that key"
  static let client = Argument(
    "client", meaning, completion: .names("apps"))
  static let trust = Argument("trust", "full, medium or low", completion: .words(SharedOptions.trustLevels))
  static let permission = Argument(
    "permission",
    "A method of NIP-46, with @ for one person or place: sign_event:1, nip44_decrypt, nip44_decrypt@npub1…, sign_event:22242@wss://relay, …",
    completion: .names("permissions"))
  static let permissions = Argument(
    permission.name, permission.help + "; may be given several times", completion: permission.completion, repeats: true)
  static let duration = CommandOption.value(
    "for", "HOW-LONG", "How long: \(OwnerAPI.Duration.form), or always (always)",
    completion: .examples(["5m", "1h", "1d", "1w", "always"]))
  static let placesMeaning = """
    An optional part after @ narrows a permission: a person's key for encryption and decryption (self for your own key), a \
    relay for sign_event:22242, a method and address for sign_event:27235. A narrower permission wins over a wider one. A \
    permission with a time limit wins over the lasting one until it ends.
    """

  /// Said of commands that may allow an app more.
  static let wholeToAllow = "To allow an app more, a script, or --yes, needs its whole name or digits of its key."

  /// The permission that a command line names.
  /// - Throws: for a text that is no permission. The signer checks whether it may end in `@self`.
  static func permission(_ line: Invocation) throws(UsageError) -> String { try permission(line.needed("permission")) }

  /// The permissions that a command line names, one or more.
  static func namedPermissions(_ line: Invocation) throws(UsageError) -> NamedPermissions {
    try PermissionFaults.check(line.arguments("permission"))
    return NamedPermissions(line.arguments("permission"))
  }

  /// Permissions for a sentence: `sign_event:1, sign_event:7`.
  static func inWords(_ permissions: [String]) -> String { permissions.map { foreign($0, limit: 300) }.joined(separator: ", ") }

  /// The same for a text that was given.
  static func permission(_ text: String) throws(UsageError) -> String {
    try PermissionFaults.check([text])
    return text
  }

  /// The app that a command line names.
  static func app(_ line: Invocation) -> AppRequest { AppRequest(line.needed("client")) }

  /// A trust level for an app, as a command line names it.
  static func trust(_ app: AppRequest, _ line: Invocation) -> AppTrust.Request {
    var request = AppTrust.Request()
    request.app = app
    request.trust = Trust(rawValue: line.needed("trust")) ?? .medium
    return request
  }

  /// Before a question about an app: whether a running signer has it.
  static func checkExists(_ line: Invocation) throws(CommandError) {
    guard !line.has("json") || !line.has("yes") else { return }
    _ = try askDaemonWhole(AppShow.call(app(line)), home(line))
  }

  /// The app that is meant, for a question: its name and the first digits of its key. If no signer answers: what was typed.
  static func named(_ line: Invocation) -> String { named(found(line), line) }

  /// The app that is meant. Nil if no signer answers.
  static func found(_ line: Invocation) -> AppDetail? {
    (try? askDaemonWhole(AppShow.call(app(line)), home(line))).flatMap { try? AppShow.answer($0) }
  }

  static func named(_ found: AppDetail?, _ line: Invocation) -> String {
    guard let found else { return "'\(shown(line.needed("client")))'" }
    return "\(quoted(found.summary.shownName)) (\(AppText.digits(of: found.summary)))"
  }

  /// Asks a person at a terminal about an app, and then names the very app that the question named. Where nothing is asked, the signer
  /// takes only the whole name or the key for what allows more.
  /// - Parameter question: gets the app that is meant; nil for nothing to ask.
  static func confirmed(
    _ app: inout AppRequest, _ line: Invocation, _ question: (AppDetail) -> String?
  ) throws(CommandError) {
    guard RequestAnswer.canAsk(line), let found = found(line), let asked = question(found) else { return }
    try confirm(asked, line)
    app.client = found.summary.signer
  }

  /// Whether the command line names an app by its whole name, or by its key.
  static func isWhole(_ app: AppDetail, _ line: Invocation) -> Bool {
    isWhole(line.needed("client"), app.summary.name, app.summary.shownName, app.summary.pubkey)
  }

  /// Whether a text is the whole name of an app, as it is stored or shown, or digits of its key.
  static func isWhole(_ typed: String, _ name: String, _ shownName: String, _ key: String) -> Bool {
    [name, shownName].contains { AppNames.isWhole(typed, $0, key) }
  }

  private static let most: Int64 = 1_000_000_000
  private static let none = "none"

  /// A count, or `none` to remove a setting.
  /// - Returns: nil for anything else.
  static func count(_ text: String) -> Change<Int64>? {
    if text == none { return .to(nil) }
    return TimeSpan.digits(text.utf8).flatMap { $0 <= most ? .to($0) : nil }
  }
}

extension Noun {
  static let client = Noun(
    "client", "Paired apps",
    commands: [
      ClientListCommand.self, ClientShowCommand.self, ClientRenameCommand.self, ClientTrustCommand.self, ClientAllowCommand.self,
      ClientDenyCommand.self, ClientAskCommand.self, ClientForgetCommand.self, ClientLimitCommand.self, ClientBudgetCommand.self,
      ClientSuspendCommand.self, ClientResumeCommand.self, ClientRevokeCommand.self,
    ])
}
