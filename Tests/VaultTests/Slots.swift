import Ciphers
import SecretMemory
import TestSupport

@testable import Vault

/// One way to unlock of each type, without its device.
struct FixedOpener: SlotOpener {
  let type: SlotType
  let name: UInt8

  func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == type, slot.parameters.first == name else { return nil }
    return secret
  }

  /// Follows from type and name.
  private var secret: SecretBytes? {
    try? SecretBytes(count: 32) { for index in 0..<32 { $0[index] = type.rawValue &* 16 &+ name &+ UInt8(index) &* 3 } }
  }

  func enrolment() throws -> SlotEnrolment {
    guard let secret else { throw KeyStoreError.vault(.outOfMemory) }
    return SlotEnrolment(type: type, parameters: [name], secret: secret)
  }
}

/// Openers by name, as the tests' owners have them.
enum Owner {
  static func passphrase(_ words: String = "open sesame") throws -> PassphraseOpener {
    PassphraseOpener(SecretBox(try secret(words)))
  }
  static let token = FixedOpener(type: .token, name: 1)
  static let keyring = FixedOpener(type: .keyring, name: 1)
  static let recovery = FixedOpener(type: .recovery, name: 1)
  static let passkey = FixedOpener(type: .passkey, name: 1)
  static let secondPasskey = FixedOpener(type: .passkey, name: 2)
}

extension Vault {
  /// Adds a slot, proven by the usual passphrase.
  @discardableResult
  func add(_ opener: FixedOpener, provenBy proof: (any SlotOpener)? = nil, acceptingLoss: Bool = false) throws -> UInt32 {
    let proof: any SlotOpener = try proof ?? Owner.passphrase()
    return try addSlot(
      opener.enrolment(), label: "\(opener.type.name) \(opener.name)", provenBy: proof,
      acceptingLoss: acceptingLoss, now: 5)
  }
}
