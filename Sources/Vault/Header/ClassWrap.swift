import Ciphers
import Encodings
import SecretMemory

// A wrap, for docs/FORMATS.md: class (1) · ephemeral public key (32) · class key sealed (32 + 16).
//   shared    X25519(ephemeral secret key, slot's public key)
//   wrap key  HKDF-SHA256, salt: ephemeral public key ‖ slot's public key, input: shared ‖ device binding (only for classes of this
//             device; DeviceSecret.swift), info: "holdfast class key 2", 32 bytes
//   sealed    XChaCha20-Poly1305(wrap key, nonce of zeros, class key), associated data "holdfast class key 2\0" ‖ context of the slot
//             ‖ class (1) ‖ enrolment (32, only for a passkey's wrap of biometricRequired and its twin of this device)
//
// The nonce may be zero because a wrap key is used once. The enrolment is SHA-256 of "holdfast enrolment 2\0" and of every passkey's
// slot id (4) and SHA-256 of its credential (32), in rising order of the ids.

/// Class keys, sealed to a slot's public key.
enum ClassWrap {
  /// - Parameters:
  ///   - device: what binds classes of this device.
  ///   - enrolment: the passkeys that are enrolled now.
  static func seal(
    _ key: SecretBox, as protection: ProtectionClass, for slot: Keyslot, of vaultID: [UInt8], device: DeviceSecret?,
    enrolment: Bytes32
  ) throws(VaultError) -> Keyslot.Wrap {
    try vaultFault(.corrupt(what: "keyslot")) {
      let secret = try SecretBytes(randomCount: 32)
      let ephemeral = try secret.withBytes { try X25519.publicKey(of: $0) }
      let wrapKey = try wrapKey(
        try secret.withBytes { try X25519.sharedSecret($0, with: slot.publicKey) }, ephemeral, slot.publicKey,
        try binding(protection, device))
      let sealed = try wrapKey.withBytes { wrapKey in
        try key.withBytes {
          try ChaChaPoly.seal(
            $0, key: wrapKey, nonce: nonce, associated: associated(slot, vaultID, protection, enrolment))
        }
      }
      return Keyslot.Wrap(protection: protection.rawValue, ephemeral: ephemeral, sealed: sealed)
    }
  }

  /// - Throws: `.corrupt`, also for another device's binding and another enrolment.
  static func open(
    _ wrap: Keyslot.Wrap, as protection: ProtectionClass, of slot: Keyslot, _ vaultID: [UInt8], with keys: SlotKeys,
    device: DeviceSecret?, enrolment: Bytes32
  ) throws(VaultError) -> SecretBox {
    try vaultFault(.corrupt(what: "class key")) {
      let wrapKey = try wrapKey(
        try keys.exchange.withBytes { try X25519.sharedSecret($0, with: wrap.ephemeral) }, wrap.ephemeral, keys.publicKey,
        try binding(protection, device))
      return try wrapKey.withBytes { wrapKey in
        try wrap.sealed.withUnsafeBytes {
          SecretBox(
            try ChaChaPoly.open(
              $0, key: wrapKey, nonce: nonce, associated: associated(slot, vaultID, protection, enrolment)))
        }
      }
    }
  }

  private static let nonce = [UInt8](repeating: 0, count: 24)

  private static func binding(_ protection: ProtectionClass, _ device: DeviceSecret?) throws(VaultError) -> SecretBox? {
    guard protection.isThisDeviceOnly else { return nil }
    guard let device else { throw .otherDevice }
    return device.binding
  }

  private static func wrapKey(
    _ shared: consuming SecretBytes, _ ephemeral: Bytes32, _ publicKey: Bytes32, _ binding: SecretBox?
  ) throws -> SecretBytes {
    let input = try shared.withBytes { shared in
      try SecretBytes(count: binding == nil ? 32 : 64) { (target) throws(Never) in
        target.copyMemory(from: shared)
        binding?.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[32...]).copyMemory(from: $0) }
      }
    }
    let key = try input.withBytes { input in try extractKey(salt: ephemeral.array + publicKey.array, input) }
    return try expandKey(key, Array("holdfast class key 2".utf8))
  }

  private static func associated(
    _ slot: Keyslot, _ vaultID: [UInt8], _ protection: ProtectionClass, _ enrolment: Bytes32
  ) -> [UInt8] {
    let isEnrolled = slot.type == SlotType.passkey.rawValue && protection.base == .biometricRequired
    return Array("holdfast class key 2\0".utf8) + slot.context(vaultID) + [protection.rawValue]
      + (isEnrolled ? enrolment.array : [])
  }
}
