import Encodings
import Platform
public import SecretMemory

/// The class keys of presence classes that a slot opens, for one use. They are wiped with it.
public struct Presence: ~Copyable, Sendable {
  /// The slot that was shown.
  public let slot: UInt32
  /// Its type.
  public let type: SlotType
  let keys: ClassKeys
  let epoch: UInt64

  /// The classes that can be read with it.
  public var classes: [ProtectionClass] { keys.all.map(\.0) }
}

extension Vault {
  /// Unwraps class keys for one use. Use it at once and let it go.
  ///
  /// Opens no session; records of classes that need no presence stay as locked as they are.
  /// - Throws: as `unlock(with:)`.
  public func present(_ opener: some SlotOpener, now: Int64) throws(KeyStoreError) -> Presence {
    var shown = ClassKeys()
    var epoch: UInt64 = 0
    let opening = try attempt(opener, now) { open, proof throws(VaultError) in
      let uses = Entitlement.uses(of: proof.slot.type)
      shown = proof.keys.only { $0.needsPresence && uses.contains($0) }
      try shown.takeStrictKey(of: proof.keys, vaultID: open.header.vaultID)
      epoch = open.epoch
    }
    return Presence(slot: opening.slot, type: opening.type, keys: shown, epoch: epoch)
  }

  /// The value of one record of any kind, in guarded memory.
  /// - Throws: as `secret(kind:id:)`, and `.notEntitled` when the slot that was shown may not open the record's class.
  public func secret(
    kind: RecordKind, id: [UInt8], by presence: borrowing Presence
  ) throws(VaultError) -> SecretBytes {
    let shown = presence.shown
    let box = try withOpen { open throws(VaultError) in try open.table(with: shown).secret(kind, id) }
    do { return try box.duplicate() } catch { throw .outOfMemory }
  }

  /// The value of one record of a kind that is not secret, nil when there is none.
  /// - Throws: as `secret(kind:id:by:)`, `.kindIsSecret`.
  public func value(
    _ kind: RecordKind, id: [UInt8], by presence: borrowing Presence
  ) throws(VaultError) -> [UInt8]? {
    guard !kind.isSecret else { throw .kindIsSecret }
    let shown = presence.shown
    return try withOpen { open throws(VaultError) in try open.table(with: shown).value(kind, id) }
  }

  /// As `transaction`, and seals what is of a presence class.
  /// - Throws: as `transaction`, `.notEntitled`.
  public func transaction(_ changes: [RecordChange], by presence: borrowing Presence) throws(VaultError) {
    let shown = presence.shown
    try withOpen { open throws(VaultError) in try open.make(changes, with: try open.keys(with: shown)) }
  }

  /// Puts a record's value under another class, in one transaction; for two classes that need no presence.
  /// - Throws: as `transaction`, `.notFound`.
  public func reclass(kind: RecordKind, id: [UInt8], to protection: ProtectionClass) throws(VaultError) {
    try withOpen { open throws(VaultError) in try open.reclass(kind, id, protection, open.keys) }
  }

  /// The same where one of the two classes needs presence.
  /// - Throws: as `transaction(_:by:)`, `.notFound`.
  public func reclass(
    kind: RecordKind, id: [UInt8], to protection: ProtectionClass, by presence: borrowing Presence
  ) throws(VaultError) {
    let shown = presence.shown
    try withOpen { open throws(VaultError) in
      try open.reclass(kind, id, protection, try open.keys(with: shown))
    }
  }
}

/// What a presence carries.
struct Shown {
  let keys: ClassKeys
  let epoch: UInt64
}

extension Presence {
  var shown: Shown { Shown(keys: keys, epoch: epoch) }
}

extension Vault.Open {
  fileprivate mutating func reclass(
    _ kind: RecordKind, _ id: [UInt8], _ protection: ProtectionClass, _ keys: ClassKeys
  ) throws(VaultError) {
    let table = RecordTable(database, header.vaultID, keys, kinds)
    let value: RecordValue
    if kind.isSecret {
      value = .secret(try table.secret(kind, id))
    } else {
      guard let bytes = try table.value(kind, id) else { throw .notFound }
      value = .bytes(bytes)
    }
    try make([.put(kind: kind, id: id, value: value, class: protection)], with: keys)
  }

  /// The keys in memory and those that were shown.
  /// - Throws: `.locked` when class keys were changed since.
  func keys(with shown: Shown) throws(VaultError) -> ClassKeys {
    guard shown.epoch == epoch else { throw .locked }
    return keys.with(shown.keys)
  }

  fileprivate func table(with shown: Shown) throws(VaultError) -> RecordTable {
    RecordTable(database, header.vaultID, try keys(with: shown), kinds)
  }
}
