public import Ciphers
public import Curve
import Encodings
public import Nostr
public import SecretMemory
public import Vault

extension Identities {
  /// The key pair, ready to sign. Costs a read and about 50 µs: keep it while it is in use.
  /// - Throws: `.notFound`, `.locked`, `.corrupt` also when the key is not the one of this identity, `.io`, `.closed`.
  public func keyPair(for key: PublicKey, by held: HeldPresence? = nil) throws(VaultError) -> KeyPair {
    try Self.pair(try secret(.identityKey, key.bytes.array, held), of: key)
  }

  /// The words the key was derived from, UTF-8, for a backup.
  /// - Throws: `.notFound` when the key did not come from words; else as `keyPair`.
  public func words(for key: PublicKey, by held: HeldPresence? = nil) throws(VaultError) -> SecretBytes {
    guard let words = try identity(key).words else { throw .notFound }
    return try secret(.identityWords, words.array, held)
  }

  /// The identity in a file of its own, JSON, under a password of its own. Takes the time and memory of `cost`.
  /// - Parameters:
  ///   - hint: what may remind the owner of the password; readable without it. At most 200 bytes, one line.
  ///   - now: seconds since 1970-01-01 UTC.
  /// - Throws: `.vault` with what `keyPair` throws; `.badKey(.file(.keyFile, "hint"))`.
  public func keyFile(
    for key: PublicKey, password: SecretBox, hint: String = "", cost: Argon2id.Cost, by held: HeldPresence? = nil,
    now: Int64
  ) throws(IdentityError) -> [UInt8] {
    guard KeyFile.isHint(hint) else { throw .badKey(.file(.keyFile, "hint")) }
    let identity = try vaultStep { () throws(VaultError) in try self.identity(key) }
    var words: SecretBox?
    if identity.words != nil { words = SecretBox(try vaultStep { () throws(VaultError) in try self.words(for: key, by: held) }) }
    let pair = try vaultStep { () throws(VaultError) in try keyPair(for: key, by: held) }
    let secret: SecretKey
    do { secret = try pair.secretKey() } catch { throw .outOfMemory }
    let contents = try KeyFile.contents(identity, secret, words, identity.exportSecurity)
    var file = KeyFile(cost: cost, hint: hint, createdAt: now)
    try file.seal(contents, under: password)
    return file.text
  }

  func identity(_ key: PublicKey) throws(VaultError) -> Identity {
    guard let identity = all.first(where: { $0.publicKey == key }) else { throw .notFound }
    return identity
  }

  static func pair(_ secret: consuming SecretBytes, of key: PublicKey) throws(VaultError) -> KeyPair {
    let pair: KeyPair
    do { pair = try KeyPair(SecretKey(secret)) } catch {
      throw error == .outOfMemory ? .outOfMemory : .corrupt(what: RecordKind.identityKey.name)
    }
    guard pair.publicKey == key else { throw .corrupt(what: RecordKind.identityKey.name) }
    return pair
  }
}

extension Identity {
  /// What NIP-49 wants said of a key's past when it is exported: one that came here as open text has been handled insecurely, and what
  /// an `ncryptsec` said stays true.
  public var exportSecurity: NIP49.Security {
    if let known = keySecurity.flatMap(NIP49.Security.init) { return known }
    return switch origin {
    case .created, .derived, .vanity, .rotated: .notKnownInsecure
    case .importedNsec, .importedHex: .handledInsecurely
    case .importedMnemonic, .importedNcryptsec, .importedKeyFile, .importedAmber, .importedNos2xFox, .importedNsecBunker,
      .importedKeep:
      .untracked
    }
  }
}
