public import Curve
import Encodings
import Nostr
import Platform
public import Vault

/// The identities of a vault. Keep one for each vault: it holds the list in memory, and checks and writes in one step.
///
/// Secret keys are records of the class the owner chose for each and are read each time; names, public keys and details stay readable
/// while locked.
public final class Identities: Sendable {
  struct State {
    /// Oldest first.
    var all: [Identity]
    var defaultKey: PublicKey?
  }

  static let defaultSetting = Array("identity.default".utf8)
  let vault: Vault
  let state: Locked<State>

  /// Reads the list.
  /// - Throws: `.corrupt`, `.io`, `.closed`.
  public init(_ vault: Vault) throws(VaultError) {
    self.vault = vault
    var all: [Identity] = []
    for record in try vault.records(.identity) {
      guard var identity = Identity(record) else { throw .corrupt(what: RecordKind.identity.name) }
      // An identity without its key is found out when the key is wanted.
      identity.protection = try vault.protection(of: .identityKey, id: record.id) ?? .whenUnlocked
      all.append(identity)
    }
    let key = try vault.value(.setting, id: Self.defaultSetting).flatMap { Bytes32($0) }.map(PublicKey.init)
    state = Locked(State(all: all.sorted(by: Self.isBefore), defaultKey: key))
  }

  /// Oldest first.
  public var all: [Identity] { state.withLock { $0.all } }

  /// The identity that is used if none is named. Nil if there is no identity.
  public var defaultIdentity: Identity? { state.withLock { state in state.all.first { $0.publicKey == state.defaultKey } } }

  /// The identity of this name, `npub` or 64 hex digits; nil when there is none.
  public func find(_ text: String) -> Identity? {
    let all = all
    if let named = all.first(where: { $0.name == text }) { return named }
    guard let key = PublicKey(npubOrHex: text) else { return nil }
    return all.first { $0.publicKey == key }
  }

  /// - Throws: `.nameNotAllowed`, `.nameTaken`; `.vault` with `.notFound`, `.io`, `.closed`.
  @discardableResult
  public func rename(_ key: PublicKey, to name: String) throws(IdentityError) -> Identity {
    try IdentityName.check(name)
    return try state.withLock { state throws(IdentityError) in
      guard state.all.contains(where: { $0.publicKey == key }) else { throw .vault(.notFound) }
      guard !state.all.contains(where: { $0.name == name && $0.publicKey != key }) else { throw .nameTaken }
      return try vaultStep { () throws(VaultError) in try change(key, in: &state, also: []) { $0.name = name } }
    }
  }

  /// Keeps other details with the identity.
  /// - Throws: `.notFound`, `.io`, `.closed`.
  @discardableResult
  public func set(_ details: IdentityDetails, of key: PublicKey) throws(VaultError) -> Identity {
    try state.withLock { state throws(VaultError) in try change(key, in: &state, also: []) { $0.details = details } }
  }

  /// Marks the identity as one that was replaced by another key, or removes the mark.
  /// - Parameter also: further changes in the same transaction.
  /// - Throws: `.notFound`, `.io`, `.closed`.
  @discardableResult
  public func setRetired(_ isRetired: Bool, _ key: PublicKey, also: [RecordChange] = []) throws(VaultError) -> Identity {
    try state.withLock { state throws(VaultError) in try change(key, in: &state, also: also) { $0.isRetired = isRetired } }
  }

  private func change(
    _ key: PublicKey, in state: inout State, also: [RecordChange], _ body: (inout Identity) -> Void
  ) throws(VaultError) -> Identity {
    guard let index = state.all.firstIndex(where: { $0.publicKey == key }) else { throw .notFound }
    var identity = state.all[index]
    body(&identity)
    try vault.transaction([.put(.identity, key.bytes.array, identity.recordValue)] + also)
    state.all[index] = identity
    return identity
  }

  /// - Throws: `.notFound`, `.io`, `.closed`.
  public func setDefault(_ key: PublicKey) throws(VaultError) {
    try state.withLock { state throws(VaultError) in
      guard state.all.contains(where: { $0.publicKey == key }) else { throw .notFound }
      try vault.transaction([.put(.setting, Self.defaultSetting, key.bytes.array)])
      state.defaultKey = key
    }
  }

  /// Removes the identity and its key permanently, and its words if no other identity came from them. If it was the default, the
  /// oldest of the others becomes the default.
  /// - Parameter also: further changes in the same transaction: its pairings and links.
  /// - Returns: the new default; nil if no identity is left.
  /// - Throws: `.notFound`, `.io`, `.closed`.
  @discardableResult
  public func delete(_ key: PublicKey, also: [RecordChange] = []) throws(VaultError) -> Identity? {
    try state.withLock { state throws(VaultError) in
      guard let gone = state.all.first(where: { $0.publicKey == key }) else { throw .notFound }
      let rest = state.all.filter { $0.publicKey != key }
      let kept = rest.first { $0.publicKey == state.defaultKey } ?? rest.first
      let id = key.bytes.array
      var changes: [RecordChange] = [
        .delete(kind: .identity, id: id), .delete(kind: .identityKey, id: id),
      ]
      if let words = gone.words, !rest.contains(where: { $0.words == words }) {
        changes.append(.delete(kind: .identityWords, id: words.array))
      }
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

  static func isBefore(_ left: Identity, _ right: Identity) -> Bool {
    (left.createdAt, left.publicKey) < (right.createdAt, right.publicKey)
  }
}
