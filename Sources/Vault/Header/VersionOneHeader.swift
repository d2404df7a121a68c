import Ciphers
import Encodings
import SecretMemory

// Version 1, for docs/FORMATS.md: it had passphrase slots only, and wraps by the slot's own key. It is read so that an old vault can
// be rewritten at its first opening; nothing writes it.

/// A header as the first version wrote it.
package struct VersionOneHeader: Equatable {
  struct Slot: Equatable {
    struct Wrap: Equatable {
      let protection: UInt8
      let nonce: [UInt8]
      let sealed: [UInt8]
    }
    let keyslot: Keyslot
    let commitment: Bytes32
    let wraps: [Wrap]
  }

  static let version: UInt32 = 1
  let vaultID: [UInt8]
  let generation: UInt64
  let slots: [Slot]

  /// - Throws: `.newerVersion`, `.corrupt`.
  package init(_ bytes: [UInt8]) throws(VaultError) {
    var reader = ByteReader(bytes[...])
    let damage = VaultError.corrupt(what: "header")
    guard try VaultHeader.version(&reader) == Self.version, let id = reader.take(16), let generation: UInt64 = reader.integer(),
      let count = reader.byte(), (1...VaultHeader.maximumSlots).contains(Int(count))
    else { throw damage }
    var slots: [Slot] = []
    for _ in 0..<count {
      guard let slot = Self.slot(&reader) else { throw damage }
      slots.append(slot)
    }
    guard reader.isAtEnd else { throw damage }
    (self.vaultID, self.generation, self.slots) = (Array(id), generation, slots)
  }

  private static func slot(_ reader: inout ByteReader) -> Slot? {
    guard let id: UInt32 = reader.integer(), let type = reader.byte(), let generation: UInt64 = reader.integer(),
      let length: UInt16 = reader.integer(), length <= Keyslot.maximumParameters, let parameters = reader.take(Int(length)),
      let commitment = reader.bytes32(), let count = reader.byte(), (1...VaultHeader.maximumClasses).contains(Int(count))
    else { return nil }
    var wraps: [Slot.Wrap] = []
    for _ in 0..<count {
      guard let protection = reader.byte(), let nonce = reader.take(24), let sealed = reader.take(48) else { return nil }
      wraps.append(Slot.Wrap(protection: protection, nonce: Array(nonce), sealed: Array(sealed)))
    }
    let keyslot = Keyslot(id: id, type: type, generation: generation, parameters: Array(parameters))
    return Slot(keyslot: keyslot, commitment: commitment, wraps: wraps)
  }

  /// The code over the header's bytes, as version 1 made it.
  static func mac(of bytes: [UInt8], _ keys: ClassKeys, _ vaultID: [UInt8]) throws(VaultError) -> [UInt8] {
    let key = try keys.derived("holdfast vault header 1", vaultID)
    return key.withBytes { key in bytes.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  /// The class keys of a slot; nil when it was made with another secret.
  /// - Throws: `.corrupt` for a wrap that does not open although the secret is right.
  func keys(of slot: Slot, _ bytes: UnsafeRawBufferPointer) throws(VaultError) -> ClassKeys? {
    let secret: SecretBytes
    do { secret = try SecretBytes(copying: bytes) } catch { throw .outOfMemory }
    let context = slot.keyslot.context(vaultID)
    let expected = try expandKey(secret, Array("holdfast slot commitment 1".utf8)).withBytes { key in
      context.withUnsafeBytes { HMACSHA256.code(key: key, $0) }
    }
    guard expected.withUnsafeBytes({ a in slot.commitment.withUnsafeBytes { constantTimeEqual(a, $0) } }) else { return nil }
    let wrapKey = SecretBox(try expandKey(secret, Array("holdfast slot wrap 1".utf8)))
    var keys = ClassKeys()
    for wrap in slot.wraps {
      guard let protection = ProtectionClass(rawValue: wrap.protection) else { continue }
      let associated = Array("holdfast class key\0".utf8) + context + [wrap.protection]
      let key = try vaultFault(.corrupt(what: "class key")) {
        try wrapKey.withBytes { wrapKey in
          try wrap.sealed.withUnsafeBytes {
            SecretBox(try ChaChaPoly.open($0, key: wrapKey, nonce: wrap.nonce, associated: associated))
          }
        }
      }
      keys.set(protection, key)
    }
    return keys
  }
}
