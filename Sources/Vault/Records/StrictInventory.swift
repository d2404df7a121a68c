import Ciphers
import Encodings
import SecretMemory

// Two more records of kind 0, for docs/FORMATS.md, both of the class afterFirstUnlock. The strict key is HKDF-Expand(whenUnlocked class
// key, "holdfast vault strict inventory 1" ‖ vault id).
//
//   id "strict"   sums as in the summary (kind 2 ‖ sum 32), of the rows of all classes but afterFirstUnlock and its twin of this device,
//                 by HMAC-SHA256(strict key, "holdfast vault strict row 1\0" ‖ kind 2 ‖ name 32 ‖ class 1 ‖ version 8 ‖ wrapped); then
//                 HMAC-SHA256(strict key, "holdfast vault strict summary 1\0" ‖ vault id ‖ the sums), 32
//   id "removed"  rows of those classes that were removed while the strict key was not available, and are still in the sums: each as in a
//                 backup, without what is sealed. Not there when there are none.

/// All rows of the classes that the keyring does not open, under a key that the keyring's class key does not give. So somebody
/// who has only that can neither restore an older row nor move a row to another class.
struct StrictInventory: Equatable {
  /// Raw kind → sum. Nil until the strict key was available and the rows were compared.
  private(set) var sums: [UInt16: Bytes32]?
  /// Removed since, and still in the sums.
  private(set) var removed: [SealedRow] = []

  static let empty = StrictInventory(sums: [:])

  init(sums: [UInt16: Bytes32]?, removed: [SealedRow] = []) { (self.sums, self.removed) = (sums, removed) }

  mutating func add(_ place: RecordPlace, _ wrapped: [UInt8], _ keys: ClassKeys) throws(VaultError) {
    guard place.isStrict else { return }
    guard sums != nil, let key = try keys.strictKey(vaultID: place.vaultID) else { throw .locked }
    toggle(place, wrapped, key)
  }

  mutating func takeOut(_ place: RecordPlace, _ wrapped: [UInt8], _ keys: ClassKeys) throws(VaultError) {
    guard place.isStrict else { return }
    guard sums != nil, let key = try keys.strictKey(vaultID: place.vaultID) else {
      removed.append(
        SealedRow(
          kind: place.kind, name: place.name, protection: place.protection, version: place.version, wrapped: wrapped, sealed: []))
      return
    }
    toggle(place, wrapped, key)
  }

  /// Takes the rows out of the sums that were removed without the key.
  mutating func settle(_ vaultID: [UInt8], _ keys: ClassKeys) throws(VaultError) {
    guard sums != nil, !removed.isEmpty, let key = try keys.strictKey(vaultID: vaultID) else { return }
    for row in removed { toggle(row.place(vaultID), row.wrapped, key) }
    removed = []
  }

  /// The lowest kind in which the two differ.
  func firstDifference(from other: StrictInventory) -> UInt16? {
    let (mine, others) = (sums ?? [:], other.sums ?? [:])
    return Set(mine.keys).union(others.keys).sorted().first { mine[$0] != others[$0] }
  }

  /// XOR, so that a row that is in comes out.
  mutating func toggle(_ place: RecordPlace, _ wrapped: [UInt8], _ key: SecretBox) {
    var bytes = Array("holdfast vault strict row 1\0".utf8)
    bytes.append(bigEndian: place.kind)
    bytes += place.name
    bytes.append(place.protection)
    bytes.append(bigEndian: place.version)
    let code = key.withBytes { key in
      bytes.withUnsafeBytes { row in wrapped.withUnsafeBytes { HMACSHA256.code(key: key, row, $0) } }
    }
    var sum = sums?[place.kind] ?? Bytes32()
    sum.withUnsafeMutableBytes { sum in
      code.withUnsafeBytes { code in for index in sum.indices { sum[index] ^= code[index] } }
    }
    sums?[place.kind] = sum == Bytes32() ? nil : sum
  }

  // MARK: at rest

  static let sumsID = Array("strict".utf8)
  static let removedID = Array("removed".utf8)

  /// The sums with their code; nil before they are known.
  func value(_ vaultID: [UInt8], _ key: SecretBox) -> [UInt8]? {
    guard let sums else { return nil }
    var bytes: [UInt8] = []
    for kind in sums.keys.sorted() {
      bytes.append(bigEndian: kind)
      bytes += sums[kind, default: Bytes32()].array
    }
    return bytes + Self.code(bytes, vaultID, key)
  }

  /// - Returns: nil when the code is not right.
  static func sums(in value: [UInt8], _ vaultID: [UInt8], _ key: SecretBox) -> [UInt16: Bytes32]? {
    guard value.count >= 32 else { return nil }
    let expected = code(Array(value.dropLast(32)), vaultID, key)
    guard expected.withUnsafeBytes({ a in Array(value.suffix(32)).withUnsafeBytes { constantTimeEqual(a, $0) } }) else {
      return nil
    }
    var reader = ByteReader(value.dropLast(32))
    return Inventory(from: &reader)?.sums
  }

  private static func code(_ sums: [UInt8], _ vaultID: [UInt8], _ key: SecretBox) -> [UInt8] {
    let bytes = Array("holdfast vault strict summary 1\0".utf8) + vaultID + sums
    return key.withBytes { key in bytes.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  /// - Returns: nil for bytes that are no rows.
  static func rows(_ bytes: [UInt8]) -> [SealedRow]? {
    var (rest, rows): (ArraySlice<UInt8>, [SealedRow]) = (bytes[...], [])
    while !rest.isEmpty {
      let row = SealedRow.read { (count) throws(Never) -> [UInt8]? in
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
      guard let row, row.sealed.isEmpty else { return nil }
      rows.append(row)
    }
    return rows
  }
}

extension RecordPlace {
  /// Whether its class is one that what stays open does not open.
  var isStrict: Bool { protection & 15 != ProtectionClass.afterFirstUnlock.rawValue }
}

extension SealedRow {
  func place(_ vaultID: [UInt8]) -> RecordPlace {
    RecordPlace(vaultID: vaultID, kind: kind, name: name, protection: protection, version: version)
  }
}

extension RecordTable {
  /// The stored inventory of the stricter classes, compared with the rows if the strict key is available.
  /// - Throws: `.corrupt` naming the kind of which a row is missing, changed, or was restored from an older copy.
  func checkedStrict() throws(VaultError) -> StrictInventory {
    let stored = try storedStrict()
    guard stored.sums != nil else { return stored }
    var expected = stored
    try expected.settle(vaultID, keys)
    if let found = try inventory().strict, let kind = found.firstDifference(from: expected) {
      throw .corrupt(what: kinds.name(of: kind))
    }
    return stored
  }

  /// The stored inventory of the stricter classes, without the sums if the strict key is not available.
  /// - Throws: `.corrupt`.
  func storedStrict() throws(VaultError) -> StrictInventory {
    let damage = VaultError.corrupt(what: RecordKind.summary.name)
    guard let value = try value(.summary, StrictInventory.sumsID),
      let removed = StrictInventory.rows(try self.value(.summary, StrictInventory.removedID) ?? [])
    else { throw damage }
    guard let key = try keys.strictKey(vaultID: vaultID) else { return StrictInventory(sums: nil, removed: removed) }
    guard let sums = StrictInventory.sums(in: value, vaultID, key) else { throw damage }
    return StrictInventory(sums: sums, removed: removed)
  }

  /// Stores what changed. Call within a transaction.
  func putStrict(_ new: StrictInventory?, after old: StrictInventory?) throws(VaultError) {
    guard let new, new != old else { return }
    var none = Inventory()
    if new.sums != old?.sums {
      guard let key = try keys.strictKey(vaultID: vaultID), let value = new.value(vaultID, key) else { throw .locked }
      try put(.summary, StrictInventory.sumsID, .bytes(value), .afterFirstUnlock, &none)
    }
    guard new.removed != old?.removed ?? [] else { return }
    let rows = new.removed.flatMap(\.bytes)
    if rows.isEmpty { return try delete(.summary, StrictInventory.removedID, &none) }
    try put(.summary, StrictInventory.removedID, .bytes(rows), .afterFirstUnlock, &none)
  }
}
