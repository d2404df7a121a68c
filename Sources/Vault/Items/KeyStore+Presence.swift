import Platform
public import SecretMemory

/// The same for items whose class needs presence: `Vault.present` gives it, by a way to unlock that is entitled to the class.
///
/// Without, such an item is `.interactionNotAllowed`; with a presence of a slot that may not open it, `.vault(.notEntitled)`.
extension KeyStore {
  /// As `store(_:as:permissions:label:remark:)`.
  public func store(
    _ value: consuming SecretBytes, as name: ItemName, permissions: ProtectionClass, label: String = "", remark: [UInt8] = [],
    by presence: borrowing Presence
  ) throws(KeyStoreError) {
    let item = NewItem(name, SecretBox(value), permissions, label: label, remark: remark)
    try change(with: presence.shown) { () throws(KeyStoreError) in
      guard try stored(name) == nil else { throw .duplicateItem }
      return try changes(for: item, over: nil)
    }
  }

  /// As `put(_:as:permissions:label:remark:)`.
  public func put(
    _ value: consuming SecretBytes, as name: ItemName, permissions: ProtectionClass, label: String = "", remark: [UInt8] = [],
    by presence: borrowing Presence
  ) throws(KeyStoreError) {
    let item = NewItem(name, SecretBox(value), permissions, label: label, remark: remark)
    try put([item], removing: [], with: presence.shown)
  }

  /// As `retrieve(_:)`.
  public func retrieve(_ name: ItemName, by presence: borrowing Presence) throws(KeyStoreError) -> SecretBytes {
    do { return try vault.secret(kind: .itemValue, id: name.recordID, by: presence) } catch { throw KeyStoreError(error) }
  }

  /// As `setPermissions(_:of:)`.
  public func setPermissions(
    _ permissions: ProtectionClass, of name: ItemName, by presence: borrowing Presence
  ) throws(KeyStoreError) {
    let value = SecretBox(try retrieve(name, by: presence))
    try changePermissions(of: name, to: permissions, with: presence.shown) { () throws(KeyStoreError) in value }
  }
}

/// The same for values of a class that needs presence.
extension SecureStorage where Value: ~Copyable {
  /// As `save(_:as:)`.
  public func save(_ value: borrowing Value, as account: String, by presence: borrowing Presence) throws(KeyStoreError) {
    try store.put(try value.secretBytes(), as: try name(account), permissions: permissions, by: presence)
  }

  /// As `load(_:)`.
  public func load(_ account: String, by presence: borrowing Presence) throws(KeyStoreError) -> Value {
    try Value(secretBytes: try store.retrieve(try name(account), by: presence))
  }
}
