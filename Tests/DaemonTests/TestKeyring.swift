import SecretMemory
import TestSupport
import Vault

@testable import Signer

/// A desktop's keyring that gives its secret to whoever asks.
struct TestKeyring: SlotOpener {
  let type = SlotType.keyring

  func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? { try? Self.secret() }

  private static func secret() throws -> SecretBytes { try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = 77 } } }

  /// Makes a slot for it.
  static func add(to signer: Signer) throws {
    _ = try signer.core.vault.addSlot(
      SlotEnrolment(type: .keyring, parameters: [1], secret: secret()), label: "keyring",
      provenBy: PassphraseOpener(box(TestHome.passphrase)), now: 1)
  }
}
