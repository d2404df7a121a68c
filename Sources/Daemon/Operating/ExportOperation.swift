internal import AuditLog
internal import Curve
internal import JSON
internal import Nostr
internal import SecretMemory
internal import Vault

extension Operations {
  /// The fewest bytes of a password that a key may leave the vault under.
  private static let shortestPassword = 8

  /// A key under a password of its own (NIP-49), to keep elsewhere or to take to another signer.
  ///
  /// The vault's passphrase is asked for on every channel: who finds a terminal or a browser left open shall not go away with the key.
  func exportIdentity(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let identity = try identity(named: given.text("name"))
    guard try given.optionalText("format") ?? "ncryptsec" == "ncryptsec" else {
      throw .usage("A key leaves the vault as ncryptsec only: encrypted under a password.")
    }
    guard !core.isTrial else { throw .trialHasNoPassphrase }
    guard let password = given.secret("password") else { throw .usage("The password for the exported key is missing.") }
    guard password.count >= Self.shortestPassword else {
      throw .usage("That password is too short for a key: \(Self.shortestPassword) characters or more.")
    }
    if core.gate.isLocked { throw .unlockFirst }
    // Without a daemon, the vault was opened with the passphrase just now.
    if running != nil { try core.gate.verify(given.evidence()) }
    let key = try vaultStep { try core.identities.keyPair(for: identity.publicKey) }
    do { _ = try core.log.appendAndWait(.event(.keyExported, identity: identity.publicKey)) } catch {
      throw OperationFailure(error)
    }
    let text = try vaultStep {
      try NIP49.encrypt(key.secretKey(), password: password.duplicate(), security: Self.security(of: identity.origin))
    }
    return .object([
      .init("name", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)), .init("format", "ncryptsec"),
      .init("ncryptsec", .string(String(decoding: text, as: UTF8.self))),
    ])
  }

  /// What NIP-49 wants said of a key's past: one that came here as open text has been handled insecurely.
  private static func security(of origin: Identity.Origin) -> NIP49.Security {
    switch origin {
    case .created, .vanity: .notKnownInsecure
    case .importedNsec, .importedHex: .handledInsecurely
    case .importedMnemonic, .importedNcryptsec: .untracked
    }
  }
}
