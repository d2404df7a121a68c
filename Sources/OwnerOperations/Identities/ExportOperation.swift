internal import AuditLog
internal import Ciphers
internal import Curve
internal import Identities
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

/// The ways in which a key leaves the vault. The raw value is what stands in commands, JSON and the log.
enum ExportFormat: String, CaseIterable {
  case ncryptsec, file, nsec, mnemonic

  /// Whether whoever sees it has the key.
  var isOpen: Bool { self == .nsec || self == .mnemonic }
}

extension Operations {
  /// The fewest bytes of a password that a key may leave the vault under.
  private static let shortestPassword = 8
  /// What the owner writes before a key leaves the vault as open text.
  static let openExportWords = "I understand"
  /// What a guess at the password of a key file costs: 256 MiB, about 0.7 s.
  static let keyFileCost = (try? Argon2id.Cost(memory: 256 << 20, passes: 3)) ?? .floor

  /// A key, to keep elsewhere or to take to another signer: under a password of its own, or open.
  ///
  /// The owner's proof is asked for on every channel: who finds a terminal or a browser left open shall not go away with the key.
  func exportIdentity(_ given: Parameters) throws -> ControlResult {
    let identity = try identity(named: given.text("name"))
    let format = try exportFormat(given)
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    if format == .mnemonic && identity.words == nil { throw OperationError.noWordsToExport(identity.name) }
    if format.isOpen, try given.optionalText("confirm") != Self.openExportWords { throw OperationError.openExport(format) }
    let password = format.isOpen ? nil : try newPassword(given)
    let export = try KeyExportOptions(given, password)
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    let needsWords = format == .mnemonic || format == .file
    let held = try presence(given, isNeededFor: needsWords ? classes(of: identity) : [identity.protection])
    if held == nil { try prove(given) }
    let key = try core.identities.keyPair(for: identity.publicKey, by: held)
    try recordExport(of: identity, format)
    let made = try members(of: identity, key, format, export, held)
    let head: [JSONValue.Member] = [
      .init("name", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)),
      .init("format", .string(format.rawValue)),
    ]
    return ControlResult(.object(head + made.members), secrets: made.secrets)
  }

  private func exportFormat(_ given: Parameters) throws -> ExportFormat {
    let name = try given.optionalText("format") ?? ExportFormat.ncryptsec.rawValue
    guard let format = ExportFormat(rawValue: name) else {
      throw OperationError.usage(
        "There is no export format of that name.", hint: "One of: " + ExportFormat.allCases.map(\.rawValue).joined(separator: " ")
      )
    }
    return format
  }

  private func newPassword(_ given: Parameters) throws -> SecretBox {
    guard let password = given.secret("password") else {
      throw OperationError.usage("The password for the exported key is missing.")
    }
    guard password.count >= Self.shortestPassword else {
      throw OperationError.usage("That password is too short for a key: \(Self.shortestPassword) characters or more.")
    }
    return password
  }

  /// Durable before the key is handed over. Words are the key of every account that came from them.
  private func recordExport(of identity: Identity, _ format: ExportFormat) throws {
    let touched =
      format == .nsec || format == .ncryptsec
      ? [identity]
      : core.identities.all.filter {
        $0.publicKey == identity.publicKey || identity.words != nil && $0.words == identity.words
      }
    for identity in touched {
      _ = try core.log.appendAndWait(
        .event(
          .keyExported, identity: identity.publicKey, rule: AuditRule(clipping: format.rawValue),
          code: AuditRule(clipping: format.rawValue)))
    }
  }

  private typealias Made = (members: [JSONValue.Member], secrets: [String: ControlResult.Secret])

  private func members(
    of identity: Identity, _ key: KeyPair, _ format: ExportFormat, _ export: KeyExportOptions, _ held: HeldPresence?
  ) throws -> Made {
    switch format {
    case .ncryptsec:
      guard let password = export.password else { return ([], [:]) }
      let security = export.security ?? identity.exportSecurity
      let text = try NIP49.encrypt(key.secretKey(), password: password.duplicate(), logN: export.logN, security: security)
      let members: [JSONValue.Member] = [
        .init("ncryptsec", .string(String(decoding: text, as: UTF8.self))), .init("log_n", .integer(Int64(export.logN))),
        .init("security", .string(security.name)),
      ]
      return (members, [:])
    case .file:
      guard let password = export.password else { return ([], [:]) }
      let text = try core.identities.keyFile(
        for: identity.publicKey, password: password, hint: export.hint, cost: Self.keyFileCost, by: held,
        now: Clock.seconds)
      return ([.init("file", .string(String(decoding: text, as: UTF8.self))), .init("hint", .string(export.hint))], [:])
    case .nsec:
      return ([.init("nsec", .null)], ["nsec": .text(SecretBox(try NIP19.text(of: key.secretKey())))])
    case .mnemonic:
      let words = try core.identities.words(for: identity.publicKey, by: held)
      let members: [JSONValue.Member] = [
        .init("words", .null), .init("account", identity.account.map { .integer(Int64($0)) } ?? .null),
        .init("words_passphrase", .bool(identity.hasWordsPassphrase)),
      ]
      return (members, ["words": .text(SecretBox(words))])
    }
  }
}

/// How an export is to be made.
private struct KeyExportOptions {
  let password: SecretBox?
  let logN: Int
  let security: NIP49.Security?
  let hint: String

  /// Less than NIP-49's usual cost is not offered.
  private static let leastLogN = NIP49.standardLogN

  init(_ given: Parameters, _ password: SecretBox?) throws {
    self.password = password
    let logN = try given.optionalInteger("log_n") ?? Int64(NIP49.standardLogN)
    guard (Int64(Self.leastLogN)...Int64(NIP49.maximumLogN)).contains(logN) else {
      throw OperationError.usage("The cost (log2 N) is a number from \(Self.leastLogN) to \(NIP49.maximumLogN).")
    }
    self.logN = Int(logN)
    let name = try given.optionalText("security")
    security = name.flatMap(NIP49.Security.init(name:))
    if name != nil && security == nil {
      throw OperationError.usage("The key's past is one of: handled-insecurely not-known-insecure untracked")
    }
    hint = try given.optionalText("hint") ?? ""
    if let password, Self.gives(hint, away: password) {
      throw OperationError.usage("The hint holds the password, and anybody can read it.")
    }
  }

  /// Whether the password stands in the hint, in either case of ASCII letters.
  private static func gives(_ hint: String, away password: SecretBox) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
    let bytes = hint.utf8.map(lower)
    return password.withBytes { password in
      guard bytes.count >= password.count else { return false }
      return (0...bytes.count - password.count).contains { start in
        password.indices.allSatisfy { lower(password[$0]) == bytes[start + $0] }
      }
    }
  }
}

extension OperationError {
  fileprivate static func openExport(_ format: ExportFormat) -> OperationError {
    .usage(
      "As \(format.rawValue) the key leaves the vault unencrypted: whoever sees it has it for good.",
      hint: "If that is what you want: --unencrypted, and confirm with the words “\(Operations.openExportWords)”.")
  }

  fileprivate static func noWordsToExport(_ name: String) -> OperationError {
    .failed("There are no words of “\(name)” here: its key came without.", hint: "Export it with --format ncryptsec or file.")
  }
}
