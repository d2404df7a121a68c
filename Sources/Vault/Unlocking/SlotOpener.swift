public import SecretMemory

/// What kind of thing opens a slot. The raw value is what is stored.
public enum SlotType: UInt8, Sendable, CaseIterable {
  case passphrase = 1
  /// A recovery kit: enough shares of it.
  case recovery = 2
  /// A passkey with the PRF extension, its user verified.
  case passkey = 3
  /// A PKCS#11 token: TPM, smart card, HSM.
  case token = 4
  /// The desktop's keyring.
  case keyring = 5

  /// As it is written in commands and JSON.
  public var name: String {
    switch self {
    case .passphrase: "passphrase"
    case .recovery: "recovery"
    case .passkey: "passkey"
    case .token: "token"
    case .keyring: "keyring"
    }
  }
}

/// What is in clear about a slot: enough for a way to unlock to make the slot's secret again.
public struct SlotDescription: Sendable, Equatable {
  /// Distinguishes it from the vault's other slots.
  public let id: UInt32
  /// What kind of thing opens it.
  public let type: SlotType
  /// What its maker wrote down, at most 1,024 bytes. Not secret; bound to everything the slot wraps.
  public let parameters: [UInt8]

  /// As in the header.
  public init(id: UInt32, type: SlotType, parameters: [UInt8]) {
    (self.id, self.type, self.parameters) = (id, type, parameters)
  }
}

/// A way to open slots: makes the 32-byte secret of a slot from what the owner has or knows.
public protocol SlotOpener {
  /// The type of slots it may fit.
  var type: SlotType { get }

  /// The secret of the slot, 32 bytes; nil when it is not the one this opener is for. A wrong secret is noticed by the vault.
  func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes?

  /// The secret as earlier versions made it of the same thing, tried where `secret` does not fit; nil where that is the same, as it is
  /// for most openers. Both are one attempt.
  func earlierSecret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes?
}

extension SlotOpener {
  /// None.
  public func earlierSecret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? { nil }
}

/// A new slot's parameters and the secret that goes with them.
public struct SlotEnrolment: ~Copyable {
  /// What kind of thing opens it.
  public let type: SlotType
  /// As `SlotDescription.parameters`.
  public let parameters: [UInt8]
  /// 32 bytes.
  public let secret: SecretBytes

  /// A slot to be made.
  public init(type: SlotType, parameters: [UInt8], secret: consuming SecretBytes) {
    self.type = type
    self.parameters = parameters
    self.secret = secret
  }
}
