import CLinux  // whichever of the two is loaded first is said to define timespec
import Platform
public import SecretMemory

/// A program's own secrets in a vault: named items, each under the protection class that it was stored with.
///
/// The errors are those of Apple's Keychain in meaning: `.itemNotFound`, `.duplicateItem`, `.interactionNotAllowed` while the
/// item's class is locked away, `.authenticationFailed` for a wrong passphrase. All calls may come from any thread; a change is
/// made whole, and is on the disk when the call returns.
public final class KeyStore: Sendable {
  /// The longest value of an item, in bytes.
  public static let maximumValue = 1 << 20

  /// The time of day in milliseconds since 1970-01-01 UTC, in a struct for what holds it.
  public struct Clock: Sendable {
    let milliseconds: @Sendable () -> Int64

    /// A clock of the caller's, for tests.
    public init(_ milliseconds: @escaping @Sendable () -> Int64) { self.milliseconds = milliseconds }

    /// The machine's.
    public static let system = Clock { Platform.Clock.milliseconds }
  }

  let vault: Vault
  let clock: Clock

  /// The items of an opened vault. Any number of stores may be made over one vault.
  public init(_ vault: Vault, clock: Clock = .system) { (self.vault, self.clock) = (vault, clock) }

  // MARK: storing

  /// Stores a new item.
  /// - Parameters:
  ///   - value: 1 byte to 1 MiB.
  ///   - permissions: who may open it, and when.
  ///   - label: for people, not secret; at most 256 bytes.
  ///   - remark: what `note(of:)` gives without opening the item, not secret; at most 4,096 bytes.
  /// - Throws: `.duplicateItem`, `.interactionNotAllowed`, `.vault`.
  public func store(
    _ value: consuming SecretBytes, as name: ItemName, permissions: ProtectionClass = .whenUnlocked, label: String = "",
    remark: [UInt8] = []
  ) throws(KeyStoreError) {
    let item = NewItem(name, SecretBox(value), permissions, label: label, remark: remark)
    try change { () throws(KeyStoreError) in
      guard try stored(name) == nil else { throw .duplicateItem }
      return try changes(for: item, over: nil)
    }
  }

  /// Stores an item, or replaces the one with that name. At every moment, even after a crash, there is the old value or the new
  /// one. A value that was stored under another class is removed from that class.
  /// - Throws: `.interactionNotAllowed`, `.vault`.
  public func put(
    _ value: consuming SecretBytes, as name: ItemName, permissions: ProtectionClass = .whenUnlocked, label: String = "",
    remark: [UInt8] = []
  ) throws(KeyStoreError) {
    try put([NewItem(name, SecretBox(value), permissions, label: label, remark: remark)], removing: [])
  }

  /// Gives an item another value, and keeps all else.
  /// - Throws: `.itemNotFound`, `.interactionNotAllowed`, `.vault`.
  public func update(_ name: ItemName, to value: consuming SecretBytes) throws(KeyStoreError) {
    let value = SecretBox(value)
    try change { () throws(KeyStoreError) in
      guard let old = try stored(name) else { throw .itemNotFound }
      return try changes(for: NewItem(name, value, old.permissions, label: old.label, remark: old.remark), over: old)
    }
  }

  // MARK: reading

  /// The value of an item.
  /// - Throws: `.itemNotFound`, `.interactionNotAllowed` while its class is locked away, or when it needs the owner's presence;
  ///   `.corrupt`, `.vault`.
  public func retrieve(_ name: ItemName) throws(KeyStoreError) -> SecretBytes {
    do { return try vault.secret(kind: .itemValue, id: name.recordID) } catch { throw KeyStoreError(error) }
  }

  /// What is known of an item without opening it.
  /// - Throws: `.itemNotFound`, `.corrupt`, `.vault`.
  public func note(of name: ItemName) throws(KeyStoreError) -> ItemNote {
    guard let note = try stored(name) else { throw .itemNotFound }
    return note
  }

  /// Whether there is an item of that name. Opens nothing.
  /// - Throws: `.corrupt`, `.vault`.
  public func exists(_ name: ItemName) throws(KeyStoreError) -> Bool { try stored(name) != nil }

  /// All items, or those of one service, in the order of their names. Opens none.
  /// - Throws: `.corrupt`, `.vault`.
  public func list(service: String? = nil) throws(KeyStoreError) -> [ItemNote] {
    let records: [Record]
    do { records = try vault.records(.itemNote) } catch { throw KeyStoreError(error) }
    var notes: [ItemNote] = []
    for record in records {
      guard let note = ItemNote(record) else { throw .corrupt(RecordKind.itemNote.name) }
      if service == nil || note.name.service == service { notes.append(note) }
    }
    return notes.sorted { ($0.name.service, $0.name.account) < ($1.name.service, $1.name.account) }
  }

  // MARK: deleting and permissions

  /// Removes an item permanently. Needs no key: locked items can be deleted.
  /// - Throws: `.itemNotFound`, `.vault`.
  public func delete(_ name: ItemName) throws(KeyStoreError) {
    try change { () throws(KeyStoreError) in
      guard try stored(name) != nil else { throw .itemNotFound }
      return Self.removal(of: name)
    }
  }

  /// Removes all items of a service permanently.
  /// - Returns: how many there were.
  @discardableResult
  public func deleteAll(service: String) throws(KeyStoreError) -> Int {
    var count = 0
    try change { () throws(KeyStoreError) in
      let notes = try list(service: service)
      count = notes.count
      return notes.flatMap { Self.removal(of: $0.name) }
    }
    return count
  }

  /// Seals an item under another class. It is opened once for that, so its present class must not be locked away.
  /// - Throws: `.itemNotFound`, `.interactionNotAllowed`, `.corrupt`, `.vault`.
  public func setPermissions(_ permissions: ProtectionClass, of name: ItemName) throws(KeyStoreError) {
    try changePermissions(of: name, to: permissions, with: nil) { () throws(KeyStoreError) in SecretBox(try retrieve(name)) }
  }
}
