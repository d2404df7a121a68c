internal import Ciphers
internal import Encodings

// `header.body`, for docs/FORMATS.md; numbers big-endian.
//
//   8  magic "HFVAULT" and a zero byte     4  format version, 1     16  vault id, random
//   8  generation: 1, and one more with each change of a slot or class key
//   1  number of slots, 1 to 16; then each slot:
//      4 slot id · 1 type (1: passphrase) · 8 generation in which it was made
//      2 length of parameters, then the parameters; passphrase: memory in bytes 8 · passes 4 · salt 16
//     32 commitment (Keyslot.swift)
//      1 number of wraps, 1 to 16; then each wrap: class 1 · nonce 24 · class key sealed 32 + 16
//
// `header.digest` is SHA-256 of the body: it tells damage from a wrong passphrase before any key is known.
// `header.mac` is HMAC-SHA256 of the body under HKDF(afterFirstUnlock class key, "holdfast vault header 1" ‖ vault id).

/// What is in clear about a vault as a whole.
package struct VaultHeader: Equatable {
  static let maximumSlots = 16
  static let maximumClasses = 16
  static let magic = Array("HFVAULT\0".utf8)

  let vaultID: [UInt8]
  var generation: UInt64
  var slots: [Keyslot]

  init(vaultID: [UInt8], generation: UInt64, slots: [Keyslot]) {
    (self.vaultID, self.generation, self.slots) = (vaultID, generation, slots)
  }

  /// - Throws: `.newerVersion`, `.corrupt`.
  package init(_ bytes: [UInt8]) throws(VaultError) {
    var reader = ByteReader(bytes[...])
    let damage = VaultError.corrupt(what: "header")
    guard let magic = reader.take(8), Array(magic) == Self.magic, let version: UInt32 = reader.integer() else { throw damage }
    guard version <= VaultFile.version else { throw .newerVersion(found: version) }
    guard version == VaultFile.version, let id = reader.take(16), let generation: UInt64 = reader.integer(),
      let count = reader.byte(), (1...Self.maximumSlots).contains(Int(count))
    else { throw damage }
    var slots: [Keyslot] = []
    for _ in 0..<count {
      guard let slot = Keyslot(from: &reader) else { throw damage }
      slots.append(slot)
    }
    guard reader.isAtEnd else { throw damage }
    self.init(vaultID: Array(id), generation: generation, slots: slots)
  }

  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: VaultFile.version)
    bytes += vaultID
    bytes.append(bigEndian: generation)
    bytes.append(UInt8(slots.count))  // at most 16
    for slot in slots { slot.write(to: &bytes) }
    return bytes
  }
}
