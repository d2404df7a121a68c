internal import Ciphers
internal import Encodings
import Glibc
internal import SecretMemory

/// How a passphrase becomes the key of a slot: Argon2id with the cost and salt in the slot.
enum PassphraseSlot {
  /// A filled slot for this passphrase.
  static func make(
    id: UInt32, generation: UInt64, vaultID: [UInt8], passphrase: borrowing SecretBytes, cost: Argon2id.Cost, keys: ClassKeys
  ) throws(VaultError) -> Keyslot {
    let salt = SystemRandom.bytes(Argon2id.saltLength)
    var parameters: [UInt8] = []
    parameters.append(bigEndian: UInt64(cost.memory))
    parameters.append(bigEndian: UInt32(cost.passes))
    let slot = Keyslot(id: id, type: .passphrase, generation: generation, parameters: parameters + salt)
    return try key(passphrase, salt, cost).fill(slot, of: vaultID, with: keys)
  }

  /// - Returns: the class keys, nil when the slot is of another type or another passphrase.
  /// - Throws: `.costOutOfRange` before any memory is taken, `.outOfMemory`, `.corrupt`.
  static func open(
    _ slot: Keyslot, of vaultID: [UInt8], passphrase: borrowing SecretBytes
  ) throws(VaultError) -> ClassKeys? {
    guard let (cost, salt) = try cost(of: slot) else { return nil }
    return try key(passphrase, salt, cost).open(slot, of: vaultID)
  }

  /// What a guess costs, and the salt; nil for a slot of another type.
  /// - Throws: `.costOutOfRange`, `.corrupt`.
  static func cost(of slot: Keyslot) throws(VaultError) -> (cost: Argon2id.Cost, salt: [UInt8])? {
    guard slot.type == Keyslot.SlotType.passphrase.rawValue else { return nil }
    var reader = ByteReader(slot.parameters[...])
    guard let memory: UInt64 = reader.integer(), let passes: UInt32 = reader.integer(), let salt = reader.take(16), reader.isAtEnd
    else { throw .corrupt(what: "keyslot") }
    do { return (try Argon2id.Cost(memory: Int(clamping: memory), passes: Int(passes)), Array(salt)) } catch {
      throw .costOutOfRange
    }
  }

  private static func key(
    _ passphrase: borrowing SecretBytes, _ salt: [UInt8], _ cost: Argon2id.Cost
  ) throws(VaultError) -> SlotKey {
    let secret: SecretBytes
    do {
      secret = try passphrase.withBytes { bytes throws(CipherError) in
        try Argon2id.key(password: bytes, salt: salt, cost: cost, count: 32)
      }
    } catch { throw .outOfMemory }
    return try SlotKey(secret)
  }
}
