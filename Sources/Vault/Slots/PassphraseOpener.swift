import CLinux
public import Ciphers
import Encodings
public import SecretMemory

// Parameters of a passphrase slot, for docs/FORMATS.md: memory in bytes (8) · passes (4) · salt (16). S = Argon2id 1.3, one lane, of the
// passphrase in NFKC; slots of earlier versions: of the bytes as they were typed.

/// Opens a slot by a passphrase: Argon2id with the cost and salt in the slot.
public struct PassphraseOpener: SlotOpener {
  private let passphrase: SecretBox

  /// The type of slots it may fit.
  public var type: SlotType { .passphrase }

  /// - Parameter passphrase: the bytes as typed, text in any normalisation form.
  public init(_ passphrase: SecretBox) { self.passphrase = passphrase }

  init(copying passphrase: borrowing SecretBytes) throws(VaultError) {
    do { self.init(SecretBox(try passphrase.duplicate())) } catch { throw .outOfMemory }
  }

  /// - Throws: `.vault` with `.costOutOfRange` before any memory is taken, or `.outOfMemory`; `.corrupt`.
  public func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    try secret(of: slot) { typed throws(VaultError) in
      let (cost, salt) = try PassphraseParameters.read(slot.parameters)
      return try NormalPassphrase.withBytes(of: typed) { bytes throws(VaultError) in
        try PassphraseParameters.key(bytes, salt, cost)
      }
    }
  }

  /// Of the bytes as typed, where those are not in NFKC. Takes as long once more.
  /// - Throws: as `secret`.
  public func earlierSecret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    try secret(of: slot) { typed throws(VaultError) in
      guard try NormalPassphrase.differing(from: typed) != nil else { return nil }
      let (cost, salt) = try PassphraseParameters.read(slot.parameters)
      return try PassphraseParameters.key(typed, salt, cost)
    }
  }

  private func secret(
    of slot: SlotDescription, _ make: (UnsafeRawBufferPointer) throws(VaultError) -> SecretBytes?
  ) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == .passphrase else { return nil }
    defer { holdfast_give_memory_back() }  // what the passphrase function took
    do { return try passphrase.withBytes(make) } catch { throw KeyStoreError(error) }
  }
}

extension SlotEnrolment {
  /// A slot for this passphrase.
  /// - Parameters:
  ///   - passphrase: the bytes as typed; the slot is made for their form NFKC.
  ///   - cost: `Argon2Calibration.cost()` for a slot that is to last.
  public static func passphrase(
    _ passphrase: borrowing SecretBytes, cost: Argon2id.Cost
  ) throws(KeyStoreError) -> SlotEnrolment {
    let salt = SystemRandom.bytes(Argon2id.saltLength)
    defer { holdfast_give_memory_back() }
    do {
      let secret = try passphrase.withBytes { typed throws(VaultError) in
        try NormalPassphrase.withBytes(of: typed) { bytes throws(VaultError) in try PassphraseParameters.key(bytes, salt, cost) }
      }
      return SlotEnrolment(type: .passphrase, parameters: PassphraseParameters.bytes(cost, salt), secret: secret)
    } catch { throw KeyStoreError(error) }
  }
}

/// What a passphrase slot's parameters say.
enum PassphraseParameters {
  static func bytes(_ cost: Argon2id.Cost, _ salt: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt64(cost.memory))
    bytes.append(bigEndian: UInt32(cost.passes))
    return bytes + salt
  }

  /// - Throws: `.costOutOfRange`, `.corrupt`.
  static func read(_ bytes: [UInt8]) throws(VaultError) -> (cost: Argon2id.Cost, salt: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let memory: UInt64 = reader.integer(), let passes: UInt32 = reader.integer(), let salt = reader.take(16), reader.isAtEnd
    else { throw .corrupt(what: "keyslot") }
    do { return (try Argon2id.Cost(memory: Int(clamping: memory), passes: Int(passes)), Array(salt)) } catch {
      throw .costOutOfRange
    }
  }

  static func key(
    _ passphrase: UnsafeRawBufferPointer, _ salt: [UInt8], _ cost: Argon2id.Cost
  ) throws(VaultError) -> SecretBytes {
    do { return try Argon2id.key(password: passphrase, salt: salt, cost: cost, count: 32) } catch { throw .outOfMemory }
  }
}
