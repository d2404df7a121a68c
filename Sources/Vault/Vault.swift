import Encodings
import Platform
public import SecretMemory

/// The sealed store of one `$HOLDFAST_HOME`: an SQLite file in which every value is encrypted, opened by a passphrase.
///
/// One process owns it at a time. All calls may come from any thread; they run one after the other.
public final class Vault: Sendable {
  /// The longest id of a record, in bytes.
  public static let maximumIDLength = 1024
  /// The longest value of a record, in bytes.
  public static let maximumValueLength = 16 << 20

  private let state: Locked<Open?>
  /// One passphrase is tried at a time: each takes the memory of a whole passphrase function.
  let attempting = SerialGuard()
  /// The source of fingerprint readings, and what it found.
  let fingerWatch = Locked(FingerprintWatch())
  /// One change of items is looked up and written at a time.
  let changingItems = SerialGuard()
  /// What opened it; nil when it was made from a backup just now.
  public let openedBy: SlotOpening?
  /// How many attempts with a wrong secret came before this opening.
  public var failedAttempts: Int { openedBy?.failedAttempts ?? 0 }
  /// Which state of the vault was found at opening, before anything was changed; nil for one of version 2, and for one just made.
  public let foundMark: Mark?
  /// How far the log went when a slot was shown the last time before this opening; nil when nobody looked.
  public let foundExtent: LogExtent?
  /// The kinds of records that the program knows.
  public let kinds: RecordKinds
  private let marks: MarkBox

  init(_ open: sending Open, openedBy: SlotOpening?, found: Mark? = nil, extent: LogExtent? = nil) {
    (marks, kinds, foundMark, foundExtent) = (open.marks, open.kinds, found, extent)
    state = Locked(open)
    self.openedBy = openedBy
  }

  /// Lets go of the file, the lock and all keys. Later calls throw `.closed`. May be called twice.
  public func close() { state.withLock { $0 = nil } }

  /// Which state of the vault is on the disk now; nil for one of version 2. Never waits for a transaction.
  public var mark: Mark? { marks.mark }

  /// Raises the revision above another one. After a vault was restored from an older copy and accepted, its next state is newer
  /// than every known one. Stores the changes with it.
  /// - Throws: as `transaction`.
  public func raiseRevision(above revision: UInt64, with changes: [RecordChange] = []) throws(VaultError) {
    try withOpen { open throws(VaultError) in try open.make(changes, with: open.keys, above: revision) }
  }

  /// Makes all changes, in order, or none. They are on the disk when this returns.
  /// - Throws: `.io` (nothing was changed), `.tooLong`, `.kindIsSecret`, `.closed`, and for what cannot be sealed now `.locked`,
  ///   `.presenceRequired`, `.noSlotFor`, `.biometryChanged`, `.otherDevice`.
  public func transaction(_ changes: [RecordChange]) throws(VaultError) {
    try withOpen { open throws(VaultError) in try open.make(changes, with: open.keys) }
  }

  /// All records of a kind that is not secret, in the order of their ids.
  /// - Throws: `.kindIsSecret`, `.corrupt` naming the kind, `.locked`, `.io`, `.closed`.
  public func records(_ kind: RecordKind) throws(VaultError) -> [Record] {
    guard !kind.isSecret else { throw .kindIsSecret }
    return try withOpen { open throws(VaultError) in
      var records: [Record] = []
      try open.table.each(kind) { place, sealed, key throws(VaultError) in
        records.append(try sealed.open(at: place, under: key))
        return records[records.count - 1].id
      }
      return records.sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }
  }

  /// The value of one record of a kind that is not secret, nil when there is none.
  /// - Throws: as `records`.
  public func value(_ kind: RecordKind, id: [UInt8]) throws(VaultError) -> [UInt8]? {
    guard !kind.isSecret else { throw .kindIsSecret }
    return try withOpen { open throws(VaultError) in try open.table.value(kind, id) }
  }

  /// The value of one record of any kind, in guarded memory.
  /// - Throws: `.notFound`, `.corrupt` naming the kind, `.locked`, `.presenceRequired`, `.noSlotFor`, `.biometryChanged`,
  ///   `.otherDevice`, `.io`, `.closed`.
  public func secret(kind: RecordKind, id: [UInt8]) throws(VaultError) -> SecretBytes {
    let box = try withOpen { open throws(VaultError) in try open.table.secret(kind, id) }
    do { return try box.duplicate() } catch { throw .outOfMemory }
  }

  /// The class of a record, nil when there is no such record. Opens nothing.
  /// - Throws: `.io`, `.closed`.
  public func protection(of kind: RecordKind, id: [UInt8]) throws(VaultError) -> ProtectionClass? {
    try withOpen { open throws(VaultError) in try open.table.protection(kind, id) }
  }

  /// The ids of all records of a kind, secret or not, in order. An id is sealed with its record.
  /// - Throws: as `records`.
  public func ids(_ kind: RecordKind) throws(VaultError) -> [[UInt8]] {
    guard kind.isSecret else { return try records(kind).map(\.id) }
    return try withOpen { open throws(VaultError) in
      var ids: [[UInt8]] = []
      try open.table.each(kind) { place, sealed, key throws(VaultError) in
        let id = try sealed.openSecret(at: place, under: key).id
        ids.append(id)
        return id
      }
      return ids.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// Wipes the keys of the class `whenUnlocked`; its records are `.locked` from then on.
  func forgetSession() {
    state.withLock { open in
      open?.keys.forget(.whenUnlocked)
      open?.keys.forget(.whenUnlockedThisDeviceOnly)
    }
  }

  /// Wipes every class key, also that of the class `afterFirstUnlock`, and what followed from them.
  func forgetEverything() { state.withLock { $0?.keys.forgetAll() } }

  func withOpen<Result: ~Copyable>(_ body: (inout Open) throws(VaultError) -> Result) throws(VaultError) -> Result {
    try state.withLock { open throws(VaultError) in
      guard open != nil else { throw .closed }
      return try body(&open!)  // not nil: looked at on the line before, under the same lock
    }
  }
}

extension Vault.Open {
  /// Makes the changes with these keys.
  mutating func make(_ changes: [RecordChange], with keys: ClassKeys, above least: UInt64 = 0) throws(VaultError) {
    try commit(nil, with: keys, above: least, records: changes) { (table, inventory) throws(VaultError) in
      try table.make(changes, &inventory)
    }
  }
}

extension RecordTable {
  /// Makes the changes in order.
  func make(_ changes: [RecordChange], _ inventory: inout Inventory) throws(VaultError) {
    for change in changes {
      switch change {
      case .put(let kind, let id, let value, let protection): try put(kind, id, value, protection, &inventory)
      case .delete(let kind, let id): try delete(kind, id, &inventory)
      }
    }
  }
}
