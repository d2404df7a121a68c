/// Values of one type, as items of one service.
///
/// ```swift
/// let keys = try SecureStorage<SecretKey>(in: store, service: "example.app.keys")
/// try keys.save(key, as: "main")
/// let again = try keys.load("main")
/// ```
public struct SecureStorage<Value: SecretCodable & ~Copyable>: Sendable {
  let store: KeyStore
  private let service: String
  /// The class that values are saved under.
  public let permissions: ProtectionClass

  /// - Parameter service: 1 to 256 bytes; what is saved under another service is not seen.
  /// - Throws: the fault of the service's name.
  public init(in store: KeyStore, service: String, permissions: ProtectionClass = .whenUnlocked) throws(ItemNameError) {
    guard !service.isEmpty else { throw .empty }
    _ = try ItemName(service: service, account: "-")
    (self.store, self.service, self.permissions) = (store, service, permissions)
  }

  /// Saves a value, new or in the place of the one before. Until it is on the disk the old one is there.
  /// - Throws: as `KeyStore.put`, and what the value's own coding throws.
  public func save(_ value: borrowing Value, as account: String) throws(KeyStoreError) {
    try store.put(try value.secretBytes(), as: try name(account), permissions: permissions)
  }

  /// - Throws: as `KeyStore.retrieve`, and `.corrupt` for an item that is no such value.
  public func load(_ account: String) throws(KeyStoreError) -> Value {
    try Value(secretBytes: try store.retrieve(try name(account)))
  }

  /// Whether there is a value. Opens nothing, so it can be asked while locked.
  public func exists(_ account: String) throws(KeyStoreError) -> Bool { try store.exists(try name(account)) }

  /// Removes a value permanently.
  /// - Throws: `.itemNotFound`, `.vault`.
  public func delete(_ account: String) throws(KeyStoreError) { try store.delete(try name(account)) }

  /// The accounts that have a value here, in order.
  public var accounts: [String] { get throws(KeyStoreError) { try store.list(service: service).map(\.name.account) } }

  func name(_ account: String) throws(KeyStoreError) -> ItemName {
    do { return try ItemName(service: service, account: account) } catch { throw .vault(.nameNotAllowed) }
  }
}
