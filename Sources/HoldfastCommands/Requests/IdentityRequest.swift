import CommandLine
import JSON
import TerminalUI

/// What the commands of `identity` ask for, beyond the names of identities.
enum IdentityRequest {
  /// The members of the parameters.
  static func members(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for (option, member) in [
      ("colour", "colour"), ("emoji", "emoji"), ("notes", "notes"), ("class", "class"), ("pick", "pick"),
      ("security", "security"),
      ("hint", "hint"), ("format", "format"),
    ] {
      if let value = invocation.value(option) { members.append(.init(member, .string(value))) }
    }
    // Without the flag the words alone let nothing out.
    if invocation.has("unencrypted"), let words = invocation.value("confirm") { members.append(.init("confirm", .string(words))) }
    if let words = invocation.value("words") { members.append(.init("word_count", .integer(Int64(words) ?? 0))) }
    if let account = try invocation.integer("account", in: 0...0x7FFF_FFFF) {
      members.append(.init("account", .integer(account)))
    }
    if let cost = try invocation.integer("log-n", in: 16...22) { members.append(.init("log_n", .integer(cost))) }
    if invocation.has("relay") {
      try RelayOption.check(invocation)
      members.append(.init("relays", .array(invocation.values("relay").map { .string($0) })))
    }
    for detail in invocation.values("clear") {
      guard ["colour", "emoji", "relays", "notes"].contains(detail) else {
        throw .valueNotAllowed(option: "clear", allowed: ["colour", "emoji", "relays", "notes"])
      }
      members.append(.init(detail, detail == "relays" ? .array([]) : .string("")))
    }
    if let name = invocation.argument("class") { members.append(.init("class", .string(name))) }
    if let kind = invocation.argument("kind") {
      guard let number = Int64(kind), (0...65_535).contains(number) else {
        throw .argumentNotAllowed(name: "kind", allowed: ["a number from 0 to 65535"])
      }
      members.append(.init("kind", .integer(number)))
    }
    if let name = invocation.argument("d-tag") { members.append(.init("d", .string(name))) }
    if let from = invocation.argument("from") { members.append(.init("from", .string(from))) }
    return members
  }

  /// What standard input, files and the terminal bring.
  static func input(_ invocation: Invocation) throws(UsageError) -> OwnerRequest.Input {
    switch invocation.name {
    case "identity import":
      return .key(
        file: invocation.value("from-file"),
        descriptor: try invocation.integer("from-fd", in: 0...1_048_576).map { Int32(clamping: $0) })
    case "identity rotate", "identity succession":
      return invocation.has("plan") || invocation.has("show") ? .nothing : .passphrase
    case "identity export": return isOpen(invocation) ? .passphrase : .newPassword
    case "identity class", "identity delete": return .passphrase
    case "identity accounts", "identity derive":
      // The words may be under a class that needs presence.
      let isShown = CredentialSource.isNamed(in: invocation) || needsPresence(invocation.value("class"))
      return isShown ? .passphrase : .nothing
    default: return needsPresence(invocation.value("class")) ? .passphrase : .nothing
    }
  }

  /// Whether keys of a class are used only when somebody shows to be there.
  private static func needsPresence(_ name: String?) -> Bool {
    name.map { $0.hasPrefix("device-passcode") || $0.hasPrefix("biometric-") } ?? false
  }

  /// Whether the key is to leave the vault as open text.
  static func isOpen(_ invocation: Invocation) -> Bool { ["nsec", "mnemonic"].contains(invocation.value("format")) }

  /// What is asked after an import with `--scan`; nil for everything else.
  static func scan(_ invocation: Invocation) -> JSONValue? {
    guard invocation.name == "identity import", invocation.has("scan"), let name = invocation.argument("name") else { return nil }
    return .object([.init("name", .string(name)), .init("relays", .array(invocation.values("relay").map { .string($0) }))])
  }

  /// A secret that further words need: the BIP-39 passphrase.
  static func wordsPassphrase(_ invocation: Invocation) -> SecretSource? {
    if let file = invocation.value("words-passphrase-file") { return .file(file) }
    return invocation.has("words-passphrase") ? .question("Words passphrase: ", isNew: invocation.name == "identity create") : nil
  }
}

/// Where a secret is to be read from.
enum SecretSource: Sendable, Equatable {
  case file(String)
  /// Asked for on the terminal; twice when it is new.
  case question(String, isNew: Bool)
}
