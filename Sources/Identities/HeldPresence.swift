public import Curve
import Encodings
import Platform
import SecretMemory
public import Vault

/// A presence that several steps of one use share. Its class keys are wiped with its last owner.
public final class HeldPresence: Sendable {
  let presence: Presence

  /// Takes it over.
  public init(_ presence: consuming Presence) { self.presence = presence }
}

extension Identities {
  /// Seals the key under another class, and the words it came from with it, unless another identity of the same words would then be
  /// easier to get at than its own class says.
  /// - Parameter held: where one of the classes needs presence.
  /// - Throws: `.notFound`, `.locked`, `.presenceRequired`, `.notEntitled`, `.io`, `.closed`.
  @discardableResult
  public func reclass(
    _ key: PublicKey, to protection: ProtectionClass, by held: HeldPresence? = nil
  ) throws(VaultError) -> Identity {
    let identity = try identity(key)
    let id = key.bytes.array
    var changes: [RecordChange] = [.put(.identityKey, id, SecretBox(try secret(.identityKey, id, held)), protection)]
    if let words = identity.words, mayFollow(words, to: protection, without: key) {
      changes.append(.put(.identityWords, words.array, SecretBox(try secret(.identityWords, words.array, held)), protection))
    }
    try write(changes, held)
    return try state.withLock { state throws(VaultError) in
      guard let index = state.all.firstIndex(where: { $0.publicKey == key }) else { throw .notFound }
      state.all[index].protection = protection
      return state.all[index]
    }
  }

  /// Whether the words under that class are no easier to get at than any other identity of theirs.
  private func mayFollow(_ words: Bytes32, to protection: ProtectionClass, without key: PublicKey) -> Bool {
    all.allSatisfy { other in
      other.words != words || other.publicKey == key || Entitlement.isAsStrict(protection, as: other.protection)
    }
  }

  /// Whether words that are here go under the class of a new identity of theirs, which would else be easier to get at than it says.
  func shallFollow(_ words: Bytes32, to protection: ProtectionClass, of key: PublicKey) throws(VaultError) -> Bool {
    guard let now = try vault.protection(of: .identityWords, id: words.array), now != protection else { return false }
    return Entitlement.isAsStrict(protection, as: now) && mayFollow(words, to: protection, without: key)
  }

  func secret(_ kind: RecordKind, _ id: [UInt8], _ held: HeldPresence?) throws(VaultError) -> SecretBytes {
    guard let held else { return try vault.secret(kind: kind, id: id) }
    return try vault.secret(kind: kind, id: id, by: held.presence)
  }

  func write(_ changes: [RecordChange], _ held: HeldPresence?) throws(VaultError) {
    guard let held else { return try vault.transaction(changes) }
    try vault.transaction(changes, by: held.presence)
  }
}
