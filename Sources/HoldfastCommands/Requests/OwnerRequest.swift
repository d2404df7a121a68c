import CommandLine
import JSON
import TerminalUI

/// What a parsed command asks of the daemon, or of the vault itself when none runs.
struct OwnerRequest: Sendable, Equatable {
  /// What standard input brings.
  enum Input: Sendable, Equatable {
    case nothing
    /// The member `key`, a secret: from a file, a descriptor, or standard input when both are nil.
    case key(file: String?, descriptor: Int32?)
    /// The member `event`: an unsigned event as JSON.
    case event
    /// The member `request`: what an app would ask, as JSON.
    case request
    /// The member `uri`: a link.
    case uri
    /// The secret `passphrase`: the vault's.
    case passphrase
    /// The same, and the secret `password`: a new one for what is exported.
    case newPassword
  }

  /// A secret that is new, by its member's name.
  struct NewSecret: Sendable, Equatable {
    /// The member.
    let name: String
    /// Asked on the terminal.
    let question: String
    /// Nil for the terminal.
    let file: String?
    /// Whether it is asked twice.
    var isTwice = false
  }

  /// `noun/verb`, or a verb alone.
  let operation: String
  /// An object.
  var parameters: JSONValue
  /// What is still to be read.
  let input: Input
  /// Where the secret member `password` is to be read from.
  let passwordFile: String?
  /// Further secret members by name, and where each is to be read from.
  let furtherSecrets: [String: SecretSource]
  /// What a new slot is to be opened by; nil when nothing is.
  let newSecret: NewSecret?
  /// The question to ask before it is done, on a terminal only.
  let confirmation: String?
  /// Whether what it would do is to be looked at and asked about first: it takes something away that nothing may bring back. Without
  /// a terminal it is not done then.
  let isPlannedFirst: Bool

  /// - Parameter now: seconds since 1970, for times that are said as "so long ago".
  /// - Returns: nil for commands that are no operation: up, init, man, completions.
  /// - Throws: for values that no operation takes.
  init?(_ invocation: Invocation, now: Int64) throws(UsageError) {
    var members: [JSONValue.Member] = []
    var furtherSecrets: [String: SecretSource] = [:]
    var (input, operation) = (Input.nothing, invocation.path.joined(separator: "/"))
    func option(_ name: String) { if let value = invocation.value(name) { members.append(.init(name, .string(value))) } }
    switch invocation.name {
    case "console": operation = "console/link"
    case "pair":
      operation = invocation.argument("uri") == nil ? "pair/new" : "pair/accept"
      if invocation.argument("uri") == "-" { input = .uri }
      members += try Self.link(invocation)
    case "log show", "log export", "log prove", "log retain": members += try Self.log(invocation, now)
    case "client limit": members += try ClientRequest.limits(invocation)
    case "client budget": members += try ClientRequest.budget(invocation)
    case "session set": members += try SessionRequest.members(invocation)
    case "policy set": members += try ClientRequest.settings(invocation)
    case "policy explain":
      if !invocation.has("log") { input = .request }
      members += try ClientRequest.explanation(invocation, now)
    case "sign":
      input = .event
      if invocation.has("date-ahead") { members.append(.init("date_ahead", .bool(true))) }
    case "unlock", "resume": input = .passphrase
    case "vault repair":
      input = .passphrase
      if invocation.has("plan") { members.append(.init("plan", true)) }
    case let name where name.hasPrefix("guardian "):
      members += try GuardianRequest.members(invocation)
      if name == "guardian asked", invocation.has("shares") { operation = "guardian/shares" }
      let isProved = ["guardian open", "guardian release", "guardian accept", "guardian remove"].contains(name)
      if isProved || operation == "guardian/shares" { input = .passphrase }
    case "recovery remove": input = .passphrase
    case "recovery create": members += try RecoveryRequest.plan(invocation)
    case "recovery restore", "recovery test": members += try RecoveryRequest.restoring(invocation)
    case "identity rotate", "identity succession": members += try RotationRequest.members(invocation)
    case "request approve", "request deny":
      members += try AnswerRequest.members(invocation)
      // Proof of presence, for identities that need it.
      if CredentialSource.isNamed(in: invocation) { input = .passphrase }
    case "slot list": break
    case "slot rename": members += try SlotRequest.members(invocation)
    case "slot add", "slot test", "slot remove", "slot passphrase", "slot rotate", "slot enrol",
      "slot bind":
      input = .passphrase
      members += try SlotRequest.members(invocation)
    case "up", "init", "doctor", "request watch", "identity vanity", "man", "api", "completions": return nil
    default: break
    }
    if invocation.path.first == "identity" {
      members += try IdentityRequest.members(invocation)
      input = try IdentityRequest.input(invocation)
      if let source = IdentityRequest.wordsPassphrase(invocation) { furtherSecrets["words_passphrase"] = source }
    }
    for name in ["name", "to"] where operation.hasPrefix("identity/") {
      if let value = invocation.argument(name), looksLikeHexKey(value),
        ["identity/import", "identity/create", "identity/derive"].contains(operation)
      {
        throw .secretKeyInArguments
      }
    }
    option("identity")
    if operation.hasPrefix("client/") { option("for") }
    if operation.hasPrefix("pair/") { option("trust") }
    for name in ["name", "to", "client", "permission", "trust", "id", "uri"] where !operation.hasPrefix("slot/") {
      guard let value = invocation.argument(name), !(name == "uri" && input == .uri) else { continue }
      members.append(.init(name, .string(value)))
    }
    self.operation = operation
    parameters = .object(members)
    self.input = input
    self.furtherSecrets = furtherSecrets
    newSecret = SlotRequest.newSecret(invocation)
    passwordFile = invocation.value("password-file")
    confirmation = invocation.has("yes") ? nil : Self.question(invocation)
    // Sealing takes nothing away; where it would, the operation wants --accept-loss. A repair that is only planned says all by itself.
    let saysItself =
      invocation.has("tpm") || invocation.has("no-tpm") || (operation == "vault/repair" && invocation.has("plan"))
    isPlannedFirst = RemovalText.planned.contains(operation) && !invocation.has("yes") && !saysItself
  }

  private static func link(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    try RelayOption.check(invocation)
    let relays = invocation.values("relay")
    var members: [JSONValue.Member] = relays.isEmpty ? [] : [.init("relays", .array(relays.map { .string($0) }))]
    if invocation.has("local-relay") { members.append(.init("local_relays", .bool(true))) }
    if let text = invocation.value("expires") {
      guard let seconds = TimeSpan.seconds(text), seconds > 0 else {
        throw .valueMalformed(option: "expires", form: "a time such as 15m, 2h or 7d")
      }
      members.append(.init("expires", .integer(seconds)))
    }
    return members
  }

  private static func question(_ invocation: Invocation) -> String? {
    switch invocation.name {
    case "identity rotate" where !invocation.has("plan"):
      "Retire '\(printable(invocation.argument("name") ?? ""))' for good and tell its relays that another key takes its place?"
    case "log retain" where invocation.has("keep"):
      "Drop the content of all entries older than \(printable(invocation.value("keep") ?? "")) for good"
        + (invocation.has("daily") ? ", now and each day?" : "?")
    case "vault accept": "Go on with the older vault?"
    case "log renew": "Put the log aside and begin a new one? If it cannot be read, all apps come back suspended."
    case "recovery remove": "End the kit '\(printable(invocation.argument("id") ?? ""))'?"
    case "client revoke": "End the pairing with '\(printable(invocation.argument("client") ?? ""))'?"
    default: nil
    }
  }
}

/// The `--relay` options of `up` and `pair`.
enum RelayOption {
  /// - Throws: unless every value begins with `ws://` or `wss://` and goes on. The rest is checked where it is used.
  static func check(_ invocation: Invocation) throws(UsageError) {
    for value in invocation.values("relay") {
      guard ["ws://", "wss://"].contains(where: { value.utf8.starts(with: $0.utf8) && value.utf8.count > $0.utf8.count }) else {
        throw .valueMalformed(option: "relay", form: "an address that begins with ws:// or wss://")
      }
    }
  }
}
