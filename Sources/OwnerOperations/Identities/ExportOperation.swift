import AuditLog
import Ciphers
import Curve
import Identities
import Nostr
package import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

extension KeyExportFormat {
  /// Whether everybody who sees it has the key.
  fileprivate var isOpen: Bool { self == .nsec || self == .mnemonic }
}

extension Operations {
  /// The shortest password for an exported key, in bytes.
  package static let shortestPassword = 8
  /// What the owner must type before a key leaves the vault unencrypted.
  package static let openExportWords = "I understand"
  /// The cost of one guess at the password of a key file: 256 MiB, about 0.7 s.
  static let keyFileCost = (try? Argon2id.Cost(memory: 256 << 20, passes: 3)) ?? .floor

  /// Exports a key, to keep it elsewhere or to take it to another signer: encrypted under its own password, or unencrypted.
  ///
  /// The owner's credential is needed on every channel: somebody who finds an open terminal or browser must not get the key.
  func exportIdentity(_ request: IdentityExport.Request, _ call: OperationCall) throws -> IdentityExport.Response {
    let identity = try identity(named: request.identity.name)
    let format = request.format ?? .ncryptsec
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    if format == .mnemonic && identity.words == nil { throw OperationError.noWordsToExport(identity.name) }
    if format.isOpen, request.confirm != Self.openExportWords { throw OperationError.openExport(format) }
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    let needsWords = format == .mnemonic || format == .file
    let held = try presence(call, isNeededFor: needsWords ? classes(of: identity) : [identity.protection])
    if held == nil { try prove(call) }
    // After the proof, so that a command can try the proof before it asks for a new password.
    let password = format.isOpen ? nil : try Self.newPassword(request)
    let export = try KeyExportOptions(request, password)
    let key = try home.identities.keyPair(for: identity.publicKey, by: held)
    try recordExport(of: identity, format)
    var response = IdentityExport.Response()
    (response.name, response.npub, response.format) = (identity.name, identity.publicKey.npub, format)
    try fill(&response, of: identity, key, export, held)
    return response
  }

  private static func newPassword(_ request: IdentityExport.Request) throws -> SecretBox {
    guard let password = request.password else { throw OperationError.exportPasswordMissing }
    guard password.count >= shortestPassword else {
      throw OperationError.usage("The password is too short: it needs at least \(shortestPassword) characters.")
    }
    return password
  }

  /// Recorded durably before the key is handed over. Words are the key of every account that came from them.
  private func recordExport(of identity: Identity, _ format: KeyExportFormat) throws {
    let touched =
      format == .nsec || format == .ncryptsec
      ? [identity]
      : home.identities.all.filter {
        $0.publicKey == identity.publicKey || identity.words != nil && $0.words == identity.words
      }
    for identity in touched {
      _ = try home.log.appendAndWait(
        .event(
          .keyExported, identity: identity.publicKey, rule: AuditRule(clipping: format.rawValue),
          code: AuditRule(clipping: format.rawValue)))
    }
  }

  /// Adds the members of the copy's format.
  private func fill(
    _ response: inout IdentityExport.Response, of identity: Identity, _ key: KeyPair, _ export: KeyExportOptions,
    _ held: HeldPresence?
  ) throws {
    switch response.format {
    case .ncryptsec:
      guard let password = export.password else { return }
      let security = export.security ?? identity.exportSecurity
      let text = try NIP49.encrypt(key.secretKey(), password: password.duplicate(), logN: export.logN, security: security)
      response.ncryptsec = String(decoding: text, as: UTF8.self)
      (response.logN, response.security) = (Int64(export.logN), KeySecurity(security))
    case .file:
      guard let password = export.password else { return }
      let text = try home.identities.keyFile(
        for: identity.publicKey, password: password, hint: export.hint, cost: Self.keyFileCost, by: held,
        now: Clock.seconds)
      (response.file, response.hint) = (String(decoding: text, as: UTF8.self), export.hint)
    case .nsec: response.nsec = SecretBox(try NIP19.text(of: key.secretKey()))
    case .mnemonic:
      response.words = SecretBox(try home.identities.words(for: identity.publicKey, by: held))
      (response.account, response.hasWordsPassphrase) = (identity.account.map { Int64($0) }, identity.hasWordsPassphrase)
    }
  }
}

/// The options of an export.
private struct KeyExportOptions {
  let password: SecretBox?
  let logN: Int
  let security: NIP49.Security?
  let hint: String

  /// A lower cost than NIP-49's usual one is refused.
  private static let leastLogN = NIP49.standardLogN

  init(_ request: IdentityExport.Request, _ password: SecretBox?) throws {
    self.password = password
    let logN = request.logN ?? Int64(NIP49.standardLogN)
    guard (Int64(Self.leastLogN)...Int64(NIP49.maximumLogN)).contains(logN) else {
      throw OperationError.usage("The cost (log2 N) must be a number from \(Self.leastLogN) to \(NIP49.maximumLogN).")
    }
    self.logN = Int(logN)
    security = request.security.map(NIP49.Security.init)
    hint = request.hint ?? ""
    if let password, Self.gives(hint, away: password) {
      throw OperationError.usage("The hint contains the password, but anybody can read the hint.")
    }
  }

  /// Whether the hint contains the password, ignoring the case of ASCII letters.
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
  /// An export in clear that nobody confirmed.
  package static func openExport(_ format: KeyExportFormat) -> OperationError {
    .usage(
      "As \(format.rawValue) the key leaves the vault unencrypted. Anybody who sees it has it for good.",
      hint: "If you want that, add --unencrypted and confirm with the words “\(Operations.openExportWords)”.")
  }

  fileprivate static func noWordsToExport(_ name: String) -> OperationError {
    .failed("The key of “\(name)” did not come from words.", hint: "Export it with --format ncryptsec or file.")
  }
}

extension OperationError {
  /// The proof is right, and the new password was not given.
  package static let exportPasswordMissing = OperationError.usage("The password for the exported key is missing.")
}
