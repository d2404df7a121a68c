public import Curve
import Encodings
import Nostr
import Platform
public import SecretMemory
public import Vault

/// What a new identity is to be, beside its key.
public struct NewIdentity: Sendable {
  /// 1 to 64 bytes; no other identity's.
  public var name: String
  /// Under which class its key and words are sealed.
  public var protection: ProtectionClass
  /// Colour, emoji, relays, notes. When a file is imported, what it knows fills in what is missing here.
  public var details: IdentityDetails

  /// An identity of that name.
  public init(_ name: String, protection: ProtectionClass = .whenUnlocked, details: IdentityDetails = IdentityDetails()) {
    (self.name, self.protection, self.details) = (name, protection, details)
  }
}

extension Identities {
  /// A fresh key from fresh BIP-39 words (NIP-06, account 0). The words are kept, sealed, for a backup; a passphrase is not. The first
  /// identity becomes the default.
  /// - Parameters:
  ///   - words: how many: 12, 15, 18, 21 or 24.
  ///   - passphrase: BIP-39's, the "25th word". Without it the words do not give the key.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `.nameNotAllowed`, `.nameTaken`, `.badKey(.words(.wordCount))`; `.vault` with `.locked`, `.io`, `.outOfMemory`, `.closed`.
  public func create(
    _ new: NewIdentity, words: Int = 12, passphrase: SecretBox? = nil, by held: HeldPresence? = nil, now: Int64
  ) throws(IdentityError) -> Identity {
    try IdentityName.check(new.name)
    return try add(KeyText(random: words, passphrase: passphrase), new, now, by: held)
  }

  /// As above, with what is usual.
  public func create(name: String, now: Int64) throws(IdentityError) -> Identity { try create(NewIdentity(name), now: now) }

  /// Imports an existing key. The form of the text is found out: nsec, 64 hex digits, ncryptsec, words, a key file or another
  /// signer's export. White space around it does not matter.
  /// - Throws: as `create`; `.badKey` with the error in the text; `.alreadyHere` with the name of the key here.
  public func importKey(
    _ text: borrowing SecretBytes, as new: NewIdentity, help: ImportHelp = ImportHelp(), by held: HeldPresence? = nil, now: Int64
  ) throws(IdentityError) -> Identity {
    try IdentityName.check(new.name)
    let text = try KeyText.parsing(text, with: help)
    guard help.takesGuessable || !text.key.isGuessable() else { throw .badKey(.guessable) }
    if !help.takesPublished, try text.isPublished() { throw .badKey(.published) }
    return try add(text, new, now, by: held)
  }

  /// As above, with what is usual.
  public func importKey(
    _ text: borrowing SecretBytes, name: String, help: ImportHelp = ImportHelp(), now: Int64
  ) throws(IdentityError) -> Identity {
    try importKey(text, as: NewIdentity(name), help: help, now: now)
  }

  /// Keeps a key that a search for a wanted beginning found. It comes from no words.
  /// - Parameter key: 32 bytes.
  /// - Throws: as `create`, `.badKey`, `.alreadyHere`.
  public func keep(found key: consuming SecretBytes, as new: NewIdentity, now: Int64) throws(IdentityError) -> Identity {
    try IdentityName.check(new.name)
    return try add(KeyText(found: key, .vanity), new, now)
  }

  /// As above, with what is usual.
  public func keep(found key: consuming SecretBytes, name: String, now: Int64) throws(IdentityError) -> Identity {
    try keep(found: key, as: NewIdentity(name), now: now)
  }

  /// - Throws: `.nameNotAllowed`, `.nameTaken` when an identity of that name could not be made.
  public func check(newName name: String) throws(IdentityError) {
    try IdentityName.check(name)
    if all.contains(where: { $0.name == name }) { throw .nameTaken }
  }

  /// Another account of words that are here.
  /// - Parameters:
  ///   - source: an identity that came from the words.
  ///   - account: below 2^31; nil is the one after the highest that is here under the same passphrase.
  ///   - passphrase: BIP-39's. When one went into `source` it must be the same; else another passphrase gives other keys.
  /// - Throws: as `create`; `.vault(.notFound)` for an identity without words, `.otherWordsPassphrase`,
  ///   `.badKey(.accountOutOfRange)`, `.alreadyHere`.
  public func derive(
    from source: PublicKey, account: UInt32? = nil, as new: NewIdentity, passphrase: SecretBox? = nil,
    by held: HeldPresence? = nil, now: Int64
  ) throws(IdentityError) -> Identity {
    try IdentityName.check(new.name)
    let (_, words) = try vaultStep { () throws(VaultError) in try identityFromWords(source) }
    let box = SecretBox(try vaultStep { () throws(VaultError) in try secret(.identityWords, words.array, held) })
    let accounts = try self.accounts(of: source, passphrase: passphrase, by: held)
    let number: UInt32
    if let account { number = account } else { number = try nextAccount(of: words, accounts) }
    var text = KeyText(try accounts.key(number), .derived)
    (text.account, text.hasPassphrase, text.words) = (number, passphrase != nil, box)
    return try add(text, new, now, sharing: words, by: held)
  }

  /// The accounts of the words that an identity came from.
  /// - Parameter passphrase: BIP-39's; the one that went into the identity, if one did.
  /// - Throws: `.otherWordsPassphrase`; `.vault` with `.notFound` for an identity without words, `.locked`, `.presenceRequired`, `.io`,
  ///   `.closed`.
  public func accounts(
    of source: PublicKey, passphrase: SecretBox? = nil, by held: HeldPresence? = nil
  ) throws(IdentityError) -> WordAccounts {
    let (from, words) = try vaultStep { () throws(VaultError) in try identityFromWords(source) }
    let text = try vaultStep { () throws(VaultError) in try secret(.identityWords, words.array, held) }
    let accounts = try WordAccounts(words: text, passphrase: passphrase)
    if from.hasWordsPassphrase, let own = from.account, try accounts.publicKey(own) != source { throw .otherWordsPassphrase }
    return accounts
  }

  /// - Throws: `.notFound` also for an identity without words.
  private func identityFromWords(_ key: PublicKey) throws(VaultError) -> (Identity, words: Bytes32) {
    let identity = try identity(key)
    guard let words = identity.words else { throw .notFound }
    return (identity, words)
  }

  private func nextAccount(of words: Bytes32, _ accounts: WordAccounts) throws(IdentityError) -> UInt32 {
    var next: UInt32 = 0
    for identity in all where identity.words == words {
      guard let number = identity.account, number >= next, try accounts.publicKey(number) == identity.publicKey else { continue }
      next = number &+ 1
    }
    return next
  }

  /// - Parameters:
  ///   - sharing: the words that are here already.
  ///   - also: stored in the same transaction.
  func add(
    _ text: consuming KeyText, _ new: NewIdentity, _ now: Int64, sharing: Bytes32? = nil, also: [RecordChange] = [],
    by held: HeldPresence? = nil
  ) throws(IdentityError) -> Identity {
    let publicKey: PublicKey
    let secret: SecretBox
    do {
      publicKey = try KeyPair(text.key).publicKey
      secret = SecretBox(try text.key.withBytes { bytes throws(SecretBytesError<Never>) in try SecretBytes(copying: bytes) })
    } catch { throw .outOfMemory }
    let id = publicKey.bytes.array
    var changes: [RecordChange] = []
    var words = sharing
    if let box = text.words {
      words = sharing ?? same(as: box)
      if let words {
        if try vaultStep({ () throws(VaultError) in try shallFollow(words, to: new.protection, of: publicKey) }) {
          changes.append(.put(.identityWords, words.array, box, new.protection))
        }
      } else {
        changes.append(.put(.identityWords, id, box, new.protection))
        words = publicKey.bytes
      }
    }
    let identity = Identity(
      name: new.name, publicKey: publicKey, createdAt: now / 1000, origin: text.origin, account: text.account,
      hasWordsPassphrase: text.hasPassphrase, words: words, keySecurity: text.security?.rawValue, protection: new.protection,
      details: new.details.filled(from: text.details))
    changes += [.put(.identity, id, identity.recordValue), .put(.identityKey, id, secret, new.protection)]
    return try state.withLock { state throws(IdentityError) in
      if let same = state.all.first(where: { $0.publicKey == publicKey }) { throw .alreadyHere(name: same.name) }
      guard !state.all.contains(where: { $0.name == new.name }) else { throw .nameTaken }
      if state.defaultKey == nil { changes.append(.put(.setting, Self.defaultSetting, id)) }
      try vaultStep { () throws(VaultError) in try write(changes + also, held) }
      state.all = (state.all + [identity]).sorted(by: Self.isBefore)
      if state.defaultKey == nil { state.defaultKey = publicKey }
      return identity
    }
  }

  /// The words that are here and the same, so that they are kept once. Those that cannot be read now are passed over.
  private func same(as words: SecretBox) -> Bytes32? {
    guard let wanted = try? words.duplicate() else { return nil }
    var looked: Set<Bytes32> = []
    for id in all.compactMap(\.words) where looked.insert(id).inserted {
      if let found = try? vault.secret(kind: .identityWords, id: id.array), found.equals(wanted) { return id }
    }
    return nil
  }
}

extension IdentityDetails {
  /// These, with what is missing taken from others.
  func filled(from other: IdentityDetails) -> IdentityDetails {
    var filled = self
    if colour == nil { filled.set(colour: other.colour) }
    // Allowed once, allowed again.
    if emoji == nil { try? filled.set(emoji: other.emoji) }
    if relays.isEmpty { try? filled.set(relays: other.relays) }
    if notes.isEmpty { try? filled.set(notes: other.notes) }
    return filled
  }
}
