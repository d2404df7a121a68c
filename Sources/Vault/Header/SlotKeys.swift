import Ciphers
import Encodings
import SecretMemory

// From a slot's 32-byte secret S, for docs/FORMATS.md. Context: vault id (16) ‖ the slot's bytes up to and with its parameters.
//   exchange key        HKDF-Expand(S, "holdfast slot exchange 2" ‖ context, 32): X25519; its public key stands in the slot
//   authentication key  HKDF-Expand(S, "holdfast slot authentication 2" ‖ context, 32)
//   commitment key      HKDF-Expand(S, "holdfast slot commitment 2" ‖ context, 32)
//   commitment          HMAC-SHA256(commitment key, context)
//   code                HMAC-SHA256(authentication key, "holdfast slot wraps 2\0" ‖ context ‖ commitment ‖ public key ‖ the wraps)
//   authentication      nonce (24) ‖ XChaCha20-Poly1305(HKDF-Expand(afterFirstUnlock class key, "holdfast slot authentication seal 2"
//                       ‖ vault id), nonce, authentication key), associated data "holdfast slot authentication\0" ‖ context
//
//   guard key           HKDF-Expand(S, "holdfast slot guard 2" ‖ context, 32); stands in the slot sealed as the authentication key is, by
//                       "holdfast slot guard seal 2" and the whenUnlocked class key, associated data "holdfast slot guard\0" ‖ context
//   guard codes         HMAC-SHA256(guard key, "holdfast slot guard 3\0" (2 in a header of version 2) ‖ context ‖ commitment ‖ public key ‖ 0 or 16 ‖ the wraps of
//                       classes 2 to 6, or 18 to 22)
//
// Anybody can seal to a public key. The code is why that helps nobody: only who has the slot's secret, or a class key of this vault,
// can say which class keys are the slot's. Without it a stranger with the file could put in class keys of his own, and the owner's
// passphrase would open a vault whose keys the stranger has.
//
// Who has what stays open, such as a program that reads the keyring, knows the authentication keys, too. The guard is against him: he
// can neither put class keys of his own in the place of whenUnlocked and those of presence, nor a slot of his own beside the others
// that would be given them at the owner's next unlocking.
//
// The commitment tells a wrong secret from damage.

/// What follows from a slot's secret, while the slot is made or opened.
struct SlotKeys {
  let exchange: SecretBox
  let authentication: SecretBox
  let guardKey: SecretBox
  let publicKey: Bytes32
  private let commitment: Bytes32

  /// - Parameter secret: 32 bytes with the strength of whatever guards the slot.
  init(_ secret: borrowing SecretBytes, of slot: Keyslot, _ vaultID: [UInt8]) throws(VaultError) {
    let context = slot.context(vaultID)
    let exchange = try Self.expand(secret, "holdfast slot exchange 2", context)
    publicKey = try vaultFault(.corrupt(what: "keyslot")) { try exchange.withBytes { try X25519.publicKey(of: $0) } }
    self.exchange = exchange
    authentication = try Self.expand(secret, "holdfast slot authentication 2", context)
    guardKey = try Self.expand(secret, "holdfast slot guard 2", context)
    commitment = try Self.expand(secret, "holdfast slot commitment 2", context).withBytes { key in
      context.withUnsafeBytes { HMACSHA256.code(key: key, $0) }
    }
  }

  /// The slot with what shows whose it is, still without class keys.
  func filled(_ slot: Keyslot) -> Keyslot {
    var slot = slot
    (slot.commitment, slot.publicKey) = (commitment, publicKey)
    return slot
  }

  /// Whether the secret is this slot's.
  func fit(_ slot: Keyslot) -> Bool {
    commitment.withUnsafeBytes { a in slot.commitment.withUnsafeBytes { constantTimeEqual(a, $0) } }
  }

  /// That nothing was sealed to the slot by somebody without a class key of this vault.
  /// - Throws: `.corrupt`.
  func check(_ slot: Keyslot, _ vaultID: [UInt8], version: UInt32) throws(VaultError) {
    let expected = SlotAuthentication.code(slot, vaultID, authentication)
    let isRight = expected.withUnsafeBytes { a in slot.code.withUnsafeBytes { constantTimeEqual(a, $0) } }
    guard isRight, slot.publicKey == publicKey else { throw .corrupt(what: "keyslot") }
    if slot.isGuarded { try SlotGuard.check(slot, vaultID, guardKey, version: version) }
  }

  private static func expand(
    _ secret: borrowing SecretBytes, _ label: StaticString, _ context: [UInt8]
  ) throws(VaultError) -> SecretBox {
    SecretBox(try expandKey(secret, Array(label.description.utf8) + context))
  }
}

/// A slot's authentication key at rest, and its use.
enum SlotAuthentication {
  static func code(_ slot: Keyslot, _ vaultID: [UInt8], _ key: SecretBox) -> Bytes32 {
    key.withBytes { key in slot.codedBytes(vaultID).withUnsafeBytes { HMACSHA256.code(key: key, $0) } }
  }

  /// - Parameter sealingKey: `ClassKeys.slotSealingKey`.
  static func seal(
    _ key: SecretBox, of slot: Keyslot, _ vaultID: [UInt8], _ sealingKey: SecretBox
  ) throws(VaultError) -> [UInt8] {
    try SlotSeal.authentication.seal(key, of: slot, vaultID, sealingKey)
  }

  static func open(_ slot: Keyslot, _ vaultID: [UInt8], _ sealingKey: SecretBox) throws(VaultError) -> SecretBox {
    try SlotSeal.authentication.open(slot.authentication, of: slot, vaultID, sealingKey)
  }
}

/// A slot's guard key at rest, and its use.
enum SlotGuard {
  /// Both codes over a slot's wraps.
  /// - Parameter version: of the header.
  static func codes(_ slot: Keyslot, _ vaultID: [UInt8], _ key: SecretBox, version: UInt32) -> [Bytes32] {
    [false, true].map { ofThisDevice in
      key.withBytes { key in
        slot.guardedBytes(vaultID, ofThisDevice: ofThisDevice, version: version).withUnsafeBytes { HMACSHA256.code(key: key, $0) }
      }
    }
  }

  /// - Throws: `.corrupt` for wraps that somebody without the whenUnlocked class key put there.
  static func check(_ slot: Keyslot, _ vaultID: [UInt8], _ key: SecretBox, version: UInt32) throws(VaultError) {
    let hasDevice = slot.wraps.contains { $0.protection > 17 }  // without, as in a backup, there is nothing to guard
    for (index, code) in codes(slot, vaultID, key, version: version).enumerated() where index == 0 || hasDevice {
      let isRight = code.withUnsafeBytes { a in slot.guardCodes[index].withUnsafeBytes { constantTimeEqual(a, $0) } }
      guard isRight else { throw .corrupt(what: "keyslot") }
    }
  }

  /// - Parameter sealingKey: `ClassKeys.guardSealingKey`.
  static func seal(
    _ key: SecretBox, of slot: Keyslot, _ vaultID: [UInt8], _ sealingKey: SecretBox
  ) throws(VaultError) -> [UInt8] {
    try SlotSeal.guardian.seal(key, of: slot, vaultID, sealingKey)
  }

  static func open(_ slot: Keyslot, _ vaultID: [UInt8], _ sealingKey: SecretBox) throws(VaultError) -> SecretBox {
    try SlotSeal.guardian.open(slot.guardKey, of: slot, vaultID, sealingKey)
  }
}

/// Keys of slots, sealed under class keys: nonce (24) ‖ key and tag (48). The raw value begins the associated data.
private enum SlotSeal: String {
  case authentication = "holdfast slot authentication\0"
  case guardian = "holdfast slot guard\0"

  func seal(
    _ key: SecretBox, of slot: Keyslot, _ vaultID: [UInt8], _ sealingKey: SecretBox
  ) throws(VaultError) -> [UInt8] {
    let associated = associated(slot, vaultID)
    let nonce = SystemRandom.bytes(24)
    return try vaultFault(.outOfMemory) {
      try sealingKey.withBytes { sealing in
        try key.withBytes { nonce + (try ChaChaPoly.seal($0, key: sealing, nonce: nonce, associated: associated)) }
      }
    }
  }

  func open(
    _ sealed: [UInt8], of slot: Keyslot, _ vaultID: [UInt8], _ sealingKey: SecretBox
  ) throws(VaultError) -> SecretBox {
    let associated = associated(slot, vaultID)
    return try vaultFault(.corrupt(what: "keyslot")) {
      try sealingKey.withBytes { sealing in
        try sealed.withUnsafeBytes {
          SecretBox(
            try ChaChaPoly.open(
              UnsafeRawBufferPointer(rebasing: $0.dropFirst(24)), key: sealing, nonce: Array(sealed.prefix(24)),
              associated: associated))
        }
      }
    }
  }

  private func associated(_ slot: Keyslot, _ vaultID: [UInt8]) -> [UInt8] { Array(rawValue.utf8) + slot.context(vaultID) }
}

/// HKDF-Expand to 32 bytes with this module's error.
func expandKey(_ secret: borrowing SecretBytes, _ info: [UInt8]) throws(VaultError) -> SecretBytes {
  do { return try HKDFSHA256.expand(pseudorandomKey: secret, info: info, count: 32) } catch { throw .outOfMemory }
}

/// HKDF-Extract with this module's error: 32 bytes.
func extractKey(salt: [UInt8], _ input: UnsafeRawBufferPointer) throws(VaultError) -> SecretBytes {
  let key = try vaultFault(.outOfMemory) {
    try salt.withUnsafeBytes { SecretBox(try HKDFSHA256.extract(salt: $0, inputKey: input)) }
  }
  do { return try key.duplicate() } catch { throw .outOfMemory }
}
