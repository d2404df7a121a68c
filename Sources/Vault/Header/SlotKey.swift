internal import Ciphers
internal import Encodings
internal import SecretMemory

// From a slot's 32-byte secret S (passphrase: Argon2id), for docs/FORMATS.md:
//   wrap key        HKDF-Expand(S, "holdfast slot wrap 1", 32)
//   commitment key  HKDF-Expand(S, "holdfast slot commitment 1", 32)
//   context         vault id (16) ‖ the slot's bytes up to and with its parameters
//   commitment      HMAC-SHA256(commitment key, context)
//   each wrap       XChaCha20-Poly1305(wrap key, nonce, class key), associated data "holdfast class key\0" ‖ context ‖ class (1)
//
// The commitment is there because XChaCha20-Poly1305 commits to no key: without it a made-up slot could open under many
// passphrases. A wrong passphrase is noticed by it, so a wrap that then fails is damage.

/// The key of one slot, while it is needed.
struct SlotKey {
  private let wrapKey: SecretBox
  private let commitmentKey: SecretBox

  /// - Parameter secret: 32 bytes with the strength of whatever guards the slot.
  init(_ secret: borrowing SecretBytes) throws(VaultError) {
    wrapKey = SecretBox(try Self.expand(secret, "holdfast slot wrap 1"))
    commitmentKey = SecretBox(try Self.expand(secret, "holdfast slot commitment 1"))
  }

  /// The slot with its commitment and every class key wrapped.
  func fill(_ slot: Keyslot, of vaultID: [UInt8], with keys: ClassKeys) throws(VaultError) -> Keyslot {
    var slot = slot
    slot.commitment = commitment(of: slot, vaultID)
    for (protection, key) in keys.all {
      let nonce = SystemRandom.bytes(24)
      let sealed = try vaultFault(.outOfMemory) {
        try wrapKey.withBytes { wrapKey in
          try key.withBytes {
            try ChaChaPoly.seal(
              $0, key: wrapKey, nonce: nonce, associated: Self.associated(slot, vaultID, protection.rawValue))
          }
        }
      }
      slot.wraps.append(Keyslot.Wrap(protection: protection.rawValue, nonce: nonce, sealed: sealed))
    }
    return slot
  }

  /// - Returns: the class keys this version knows, or nil when the slot was made with another secret.
  /// - Throws: `.corrupt` for a wrap that does not open although the secret is right.
  func open(_ slot: Keyslot, of vaultID: [UInt8]) throws(VaultError) -> ClassKeys? {
    let expected = commitment(of: slot, vaultID)
    guard expected.withUnsafeBytes({ a in slot.commitment.withUnsafeBytes { constantTimeEqual(a, $0) } }) else { return nil }
    var keys = ClassKeys()
    for wrap in slot.wraps {
      guard let protection = ProtectionClass(rawValue: wrap.protection) else { continue }
      let key = try vaultFault(.corrupt(what: "class key")) {
        try wrapKey.withBytes { wrapKey in
          try wrap.sealed.withUnsafeBytes {
            SecretBox(
              try ChaChaPoly.open(
                $0, key: wrapKey, nonce: wrap.nonce, associated: Self.associated(slot, vaultID, wrap.protection)))
          }
        }
      }
      keys.set(protection, key)
    }
    return keys
  }

  private func commitment(of slot: Keyslot, _ vaultID: [UInt8]) -> Bytes32 {
    commitmentKey.withBytes { key in
      Self.context(slot, vaultID).withUnsafeBytes { HMACSHA256.code(key: key, $0) }
    }
  }

  private static func context(_ slot: Keyslot, _ vaultID: [UInt8]) -> [UInt8] {
    var bytes = vaultID
    slot.writeIdentity(to: &bytes)
    return bytes
  }

  private static func associated(_ slot: Keyslot, _ vaultID: [UInt8], _ protection: UInt8) -> [UInt8] {
    Array("holdfast class key\0".utf8) + context(slot, vaultID) + [protection]
  }

  private static func expand(_ secret: borrowing SecretBytes, _ info: StaticString) throws(VaultError) -> SecretBytes {
    try expandKey(secret, Array(info.description.utf8))
  }
}

/// HKDF-Expand to 32 bytes with this room's error.
func expandKey(_ secret: borrowing SecretBytes, _ info: [UInt8]) throws(VaultError) -> SecretBytes {
  do { return try HKDFSHA256.expand(pseudorandomKey: secret, info: info, count: 32) } catch { throw .outOfMemory }
}
