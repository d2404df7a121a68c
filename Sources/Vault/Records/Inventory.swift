import Ciphers
import Encodings
import SecretMemory

// The record of kind 0, for docs/FORMATS.md. Id empty; value: generation (8), revision (8; not in a vault of version 2), then for each kind of which there are rows, in
// rising order: kind (2) ‖ sum (32). The sum is the XOR, over the kind's rows, of HMAC-SHA256(inventory key, kind (2) ‖ name (32) ‖
// class (1) ‖ version (8) ‖ wrapped); the inventory key is HKDF-Expand(afterFirstUnlock class key, "holdfast vault inventory 1" ‖
// vault id). It is written anew with every transaction.

/// All rows of the vault in 32 bytes a kind. A removed row shows, and so does an old one that was restored (say, an app that had
/// been revoked).
///
/// The XOR of keyed codes is no commitment in public. Here neither the codes nor the sums ever leave the vault's seal.
struct Inventory: Equatable {
  /// Raw kind → sum; a kind without rows is left out.
  private(set) var sums: [UInt16: Bytes32] = [:]
  /// The rows of the stricter classes; nil in a vault of version 2.
  var strict: StrictInventory?

  init() {}

  init?(from reader: inout ByteReader) {
    var last: UInt16 = 0
    while !reader.isAtEnd {
      guard let kind: UInt16 = reader.integer(), kind > last, let sum = reader.bytes32() else { return nil }
      sums[kind] = sum
      last = kind
    }
  }

  func write(to bytes: inout [UInt8]) {
    for kind in sums.keys.sorted() {
      bytes.append(bigEndian: kind)
      bytes += sums[kind, default: Bytes32()].array
    }
  }

  mutating func leaveOut(_ kind: RecordKind) { sums[kind.rawValue] = nil }

  /// The lowest kind in which the two differ.
  func firstDifference(from other: Inventory) -> UInt16? {
    Set(sums.keys).union(other.sums.keys).sorted().first { sums[$0] != other.sums[$0] }
  }

  /// Takes in a row that is written.
  /// - Throws: `.locked` for a row of a stricter class without the strict key.
  mutating func add(_ place: RecordPlace, _ wrapped: [UInt8], _ keys: ClassKeys) throws(VaultError) {
    toggle(place, wrapped: wrapped, under: try keys.inventoryKey())
    try strict?.add(place, wrapped, keys)
  }

  /// Takes out a row that is removed.
  mutating func takeOut(_ place: RecordPlace, _ wrapped: [UInt8], _ keys: ClassKeys) throws(VaultError) {
    toggle(place, wrapped: wrapped, under: try keys.inventoryKey())
    try strict?.takeOut(place, wrapped, keys)
  }

  /// Adds a row, or takes one away that is in.
  mutating func toggle(_ place: RecordPlace, wrapped: [UInt8], under key: SecretBox) {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: place.kind)
    bytes += place.name
    bytes.append(place.protection)
    bytes.append(bigEndian: place.version)
    let code = key.withBytes { key in
      bytes.withUnsafeBytes { row in wrapped.withUnsafeBytes { HMACSHA256.code(key: key, row, $0) } }
    }
    var sum = sums[place.kind, default: Bytes32()]
    sum.withUnsafeMutableBytes { sum in
      code.withUnsafeBytes { code in for index in sum.indices { sum[index] ^= code[index] } }
    }
    sums[place.kind] = sum == Bytes32() ? nil : sum
  }
}

/// What the vault keeps about itself under its own seal.
package struct VaultSummary: Equatable {
  var generation: UInt64
  /// One more with each transaction but an opening; nil in a vault of version 2.
  var revision: UInt64?
  var inventory: Inventory

  init(generation: UInt64, revision: UInt64?, inventory: Inventory) {
    (self.generation, self.revision, self.inventory) = (generation, revision, inventory)
  }

  /// - Parameter hasRevision: false for that of a vault of version 2.
  package init?(_ bytes: [UInt8], hasRevision: Bool = true) {
    var reader = ByteReader(bytes[...])
    guard let generation: UInt64 = reader.integer() else { return nil }
    var revision: UInt64?
    if hasRevision {
      guard let found: UInt64 = reader.integer(), found > 0 else { return nil }
      revision = found
    }
    guard let inventory = Inventory(from: &reader) else { return nil }
    self.init(generation: generation, revision: revision, inventory: inventory)
  }

  /// What a witness keeps of it; nil without a revision. The notes of slots are left out: opening changes them.
  var mark: Vault.Mark? {
    revision.map {
      var witnessed = self
      witnessed.inventory.leaveOut(.slotNote)
      let digest = SHA256.digest(of: witnessed.bytes).array.prefix(Vault.Mark.digestLength)
      return Vault.Mark(revision: $0, generation: generation, digest: Array(digest))
    }
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: generation)
    if let revision { bytes.append(bigEndian: revision) }
    inventory.write(to: &bytes)
    return bytes
  }
}
