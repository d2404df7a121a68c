import Ciphers
import Encodings
public import SecretMemory

// Parameters of a recovery slot, for docs/FORMATS.md: salt (16) · the kit's id (0 to 64). S = HKDF-Extract(salt: "holdfast recovery
// slot 2" ‖ salt, input: the kit's master secret). The master secret is random: nothing has to be made slow.

/// Opens a slot by the master secret of a recovery kit, as enough of its SLIP-39 shares give it.
public struct RecoveryOpener: SlotOpener {
  /// The longest id of a kit, in bytes.
  public static let maximumKitLength = 64
  static let saltLength = 16
  private let master: SecretBox
  private let kit: [UInt8]?

  /// The type of slots it may fit.
  public var type: SlotType { .recovery }

  /// - Parameters:
  ///   - master: 16 or 32 bytes.
  ///   - kit: the id of the kit, where it is known: other kits' slots are not tried.
  public init(master: SecretBox, kit: [UInt8]? = nil) { (self.master, self.kit) = (master, kit) }

  /// - Throws: `.corrupt`, `.vault(.outOfMemory)`.
  public func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == .recovery else { return nil }
    guard let found = Self.kit(of: slot) else { throw .corrupt("keyslot") }
    guard kit == nil || kit == found else { return nil }
    return try Self.secret(master, Array(slot.parameters.prefix(Self.saltLength)))
  }

  /// The id of the kit that opens a slot; nil for a slot of another type.
  public static func kit(of slot: SlotDescription) -> [UInt8]? {
    guard slot.type == .recovery, slot.parameters.count >= saltLength else { return nil }
    return Array(slot.parameters.dropFirst(saltLength))
  }

  fileprivate static func secret(_ master: SecretBox, _ salt: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    try keyStoreFault { () throws(VaultError) in
      try master.withBytes { input throws(VaultError) in
        try extractKey(salt: Array("holdfast recovery slot 2".utf8) + salt, input)
      }
    }
  }
}

extension SlotEnrolment {
  /// A slot for the master secret of a recovery kit.
  /// - Parameters:
  ///   - master: 16 or 32 random bytes.
  ///   - kit: distinguishes the kit from others, at most 64 bytes. Not secret.
  public static func recovery(master: SecretBox, kit: [UInt8]) throws(KeyStoreError) -> SlotEnrolment {
    guard kit.count <= RecoveryOpener.maximumKitLength else { throw .vault(.tooLong(limit: RecoveryOpener.maximumKitLength)) }
    let salt = SystemRandom.bytes(RecoveryOpener.saltLength)
    return SlotEnrolment(type: .recovery, parameters: salt + kit, secret: try RecoveryOpener.secret(master, salt))
  }
}
