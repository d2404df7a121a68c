public import Curve
internal import Encodings
internal import Locks
internal import Nostr
public import SecretMemory

/// The identities of a vault. Keep one for each vault: it holds the list in memory, and checks and writes in one step.
///
/// Secret keys are records of class `whenUnlocked` and are read each time; names and public keys stay readable while locked.
public final class Identities: Sendable {
  private struct State {
    /// Oldest first.
    var all: [Identity]
    var defaultKey: PublicKey?
  }

  private static let defaultSetting = Array("identity.default".utf8)
  private let vault: Vault
  private let state: Locked<State>

  /// Reads the list.
  /// - Throws: `.corrupt`, `.io`, `.closed`.
  public init(_ vault: Vault) throws(VaultError) {
    self.vault = vault
    var all: [Identity] = []
    for record in try vault.records(.identity) {
      guard let identity = Identity(record) else { throw .corrupt(what: RecordKind.identity.name) }
      all.append(identity)
    }
    let key = try vault.value(.setting, id: Self.defaultSetting).flatMap { Bytes32($0) }.map(PublicKey.init)
    state = Locked(State(all: all.sorted(by: Self.isBefore), defaultKey: key))
  }

  /// Oldest first.
  public var all: [Identity] { state.withLock { $0.all } }

  /// The identity that is meant when none is named; nil when there is none at all.
  public var defaultIdentity: Identity? { state.withLock { state in state.all.first { $0.publicKey == state.defaultKey } } }

  /// A fresh key from twelve fresh BIP-39 words (NIP-06, account 0). The words are kept, sealed, for a backup. The first identity
  /// becomes the default.
  /// - Parameter now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `.nameNotAllowed`, `.nameTaken`, `.locked`, `.io`, `.outOfMemory`, `.closed`.
  public func create(name: String, now: Int64) throws(VaultError) -> Identity {
    try IdentityName.check(name)
    return try add(KeyText(random: ()), name, now)
  }

  /// Takes over a key that exists. What the text is, nsec, 64 hex digits, ncryptsec or words, is found out; white space around it
  /// does not matter.
  /// - Throws: as `create`, `.badKey` naming the fault, `.alreadyHere` with the name the key has here.
  public func importKey(
    _ text: borrowing SecretBytes, name: String, help: ImportHelp = ImportHelp(), now: Int64
  ) throws(VaultError) -> Identity {
    try IdentityName.check(name)
    return try add(KeyText(parsing: text, with: help), name, now)
  }

  /// Keeps a key that a search for a wanted beginning found. It comes from no words.
  /// - Parameter key: 32 bytes.
  /// - Throws: as `create`, `.badKey`, `.alreadyHere`.
  public func keep(found key: consuming SecretBytes, name: String, now: Int64) throws(VaultError) -> Identity {
    try IdentityName.check(name)
    return try add(KeyText(found: key), name, now)
  }

  /// - Throws: `.nameNotAllowed`, `.nameTaken` when an identity of that name could not be made.
  public func check(newName name: String) throws(VaultError) {
    try IdentityName.check(name)
    if all.contains(where: { $0.name == name }) { throw .nameTaken }
  }

  /// The identity of this name, `npub` or 64 hex digits; nil when there is none.
  public func find(_ text: String) -> Identity? {
    let all = all
    if let named = all.first(where: { $0.name == text }) { return named }
    guard let key = PublicKey(npubOrHex: text) else { return nil }
    return all.first { $0.publicKey == key }
  }

  /// - Throws: `.notFound`, `.nameNotAllowed`, `.nameTaken`, `.io`, `.closed`.
  @discardableResult
  public func rename(_ key: PublicKey, to name: String) throws(VaultError) -> Identity {
    try IdentityName.check(name)
    return try state.withLock { state throws(VaultError) in
      guard let index = state.all.firstIndex(where: { $0.publicKey == key }) else { throw .notFound }
      guard !state.all.contains(where: { $0.name == name && $0.publicKey != key }) else { throw .nameTaken }
      var identity = state.all[index]
      identity.name = name
      try vault.transaction([.put(.identity, key.bytes.array, identity.recordValue)])
      state.all[index] = identity
      return identity
    }
  }

  /// - Throws: `.notFound`, `.io`, `.closed`.
  public func setDefault(_ key: PublicKey) throws(VaultError) {
    try state.withLock { state throws(VaultError) in
      guard state.all.contains(where: { $0.publicKey == key }) else { throw .notFound }
      try vault.transaction([.put(.setting, Self.defaultSetting, key.bytes.array)])
      state.defaultKey = key
    }
  }

  /// Removes the identity, its key and its words for good. When it was the default, the oldest of the others is.
  /// - Parameter also: what goes with it, in the same transaction: its pairings and links.
  /// - Returns: the default from now on, nil when no identity is left.
  /// - Throws: `.notFound`, `.io`, `.closed`.
  @discardableResult
  public func delete(_ key: PublicKey, also: [RecordChange] = []) throws(VaultError) -> Identity? {
    try state.withLock { state throws(VaultError) in
      guard state.all.contains(where: { $0.publicKey == key }) else { throw .notFound }
      let rest = state.all.filter { $0.publicKey != key }
      let kept = rest.first { $0.publicKey == state.defaultKey } ?? rest.first
      let id = key.bytes.array
      var changes: [RecordChange] = [
        .delete(kind: .identity, id: id), .delete(kind: .identityKey, id: id), .delete(kind: .identityWords, id: id),
      ]
      if let kept {
        changes.append(.put(.setting, Self.defaultSetting, kept.publicKey.bytes.array))
      } else {
        changes.append(.delete(kind: .setting, id: Self.defaultSetting))
      }
      try vault.transaction(changes + also)
      (state.all, state.defaultKey) = (rest, kept?.publicKey)
      return kept
    }
  }

  /// The key pair, ready to sign. Costs a read and about 50 µs: keep it while it is in use.
  /// - Throws: `.notFound`, `.locked`, `.corrupt` also when the key is not the one of this identity, `.io`, `.closed`.
  public func keyPair(for key: PublicKey) throws(VaultError) -> KeyPair {
    let secret = try vault.secret(kind: .identityKey, id: key.bytes.array)
    let pair: KeyPair
    do { pair = try KeyPair(SecretKey(secret)) } catch {
      throw error == .outOfMemory ? .outOfMemory : .corrupt(what: RecordKind.identityKey.name)
    }
    guard pair.publicKey == key else { throw .corrupt(what: RecordKind.identityKey.name) }
    return pair
  }

  /// The words the key was derived from, UTF-8, for a backup.
  /// - Throws: `.notFound` when the key did not come from words; else as `keyPair`.
  public func words(for key: PublicKey) throws(VaultError) -> SecretBytes {
    try vault.secret(kind: .identityWords, id: key.bytes.array)
  }

  func add(
    _ text: consuming KeyText, _ name: String, _ now: Int64, also: [RecordChange] = []
  ) throws(VaultError) -> Identity {
    let publicKey: PublicKey
    let secret: SecretBox
    do {
      publicKey = try KeyPair(text.key).publicKey
      secret = SecretBox(try text.key.withBytes { bytes throws(SecretBytesError<Never>) in try SecretBytes(copying: bytes) })
    } catch { throw .outOfMemory }
    let identity = Identity(
      name: name, publicKey: publicKey, createdAt: now / 1000, origin: text.origin, account: text.account,
      hasWordsPassphrase: text.hasPassphrase)
    let id = publicKey.bytes.array
    var changes: [RecordChange] = [.put(.identity, id, identity.recordValue), .put(.identityKey, id, secret, .whenUnlocked)]
    if let words = text.words { changes.append(.put(.identityWords, id, words, .whenUnlocked)) }
    return try state.withLock { state throws(VaultError) in
      if let same = state.all.first(where: { $0.publicKey == publicKey }) { throw .alreadyHere(name: same.name) }
      guard !state.all.contains(where: { $0.name == name }) else { throw .nameTaken }
      if state.defaultKey == nil { changes.append(.put(.setting, Self.defaultSetting, id)) }
      try vault.transaction(changes + also)
      state.all = (state.all + [identity]).sorted(by: Self.isBefore)
      if state.defaultKey == nil { state.defaultKey = publicKey }
      return identity
    }
  }

  private static func isBefore(_ left: Identity, _ right: Identity) -> Bool {
    (left.createdAt, left.publicKey) < (right.createdAt, right.publicKey)
  }
}
