internal import Ciphers
internal import Encodings
internal import SecretMemory

/// The class keys that are in memory, each held on its own so that one can be wiped.
struct ClassKeys {
  private var keys: [ProtectionClass: SecretBox] = [:]
  /// Keys the rows' names; from the afterFirstUnlock class key.
  private var indexKey: SecretBox?
  private var inventoryKeyBox: SecretBox?

  init() {}

  /// A fresh random key for every class.
  static func random() throws(VaultError) -> ClassKeys {
    var keys = ClassKeys()
    for protection in [ProtectionClass.afterFirstUnlock, .whenUnlocked] {
      keys.set(protection, try vaultFault(.outOfMemory) { SecretBox(try SecretBytes(randomCount: 32)) })
    }
    return keys
  }

  var all: [(ProtectionClass, SecretBox)] { keys.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) } }

  mutating func set(_ protection: ProtectionClass, _ key: SecretBox) { keys[protection] = key }

  mutating func forget(_ protection: ProtectionClass) { keys[protection] = nil }

  /// - Throws: `.locked` when the class's key is not in memory.
  func key(_ protection: ProtectionClass) throws(VaultError) -> SecretBox {
    guard let key = keys[protection] else { throw .locked }
    return key
  }

  /// The code over the header's bytes, 32 bytes.
  func mac(of header: [UInt8], vaultID: [UInt8]) throws(VaultError) -> [UInt8] {
    let key = try derived("holdfast vault header 1", vaultID)
    return key.withBytes { key in header.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  /// Makes the keys that do not belong to one class ready.
  mutating func derive(vaultID: [UInt8]) throws(VaultError) {
    indexKey = SecretBox(try derived("holdfast vault index 1", vaultID))
    inventoryKeyBox = SecretBox(try derived("holdfast vault inventory 1", vaultID))
  }

  func inventoryKey() throws(VaultError) -> SecretBox {
    guard let inventoryKeyBox else { throw .locked }
    return inventoryKeyBox
  }

  /// The name of a record's row: says nothing about the id to whoever has no key. 32 bytes.
  func rowName(_ kind: RecordKind, _ id: [UInt8]) throws(VaultError) -> [UInt8] {
    guard let indexKey else { throw .locked }
    var bytes: [UInt8] = []
    bytes.append(bigEndian: kind.rawValue)
    bytes += id
    return indexKey.withBytes { key in bytes.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  private func derived(_ label: StaticString, _ vaultID: [UInt8]) throws(VaultError) -> SecretBytes {
    let classKey: SecretBytes
    do { classKey = try key(.afterFirstUnlock).duplicate() } catch let error as VaultError { throw error } catch {
      throw .outOfMemory
    }
    return try expandKey(classKey, Array(label.description.utf8) + vaultID)
  }
}
