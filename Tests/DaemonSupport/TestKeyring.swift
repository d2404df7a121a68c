package import SecretMemory
import Signer
import TestSupport
package import Vault

/// A desktop's keyring that gives its secret to whoever asks.
package struct TestKeyring: SlotOpener {
  package let type = SlotType.keyring

  package init() {}

  package func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? { try? Self.secret() }

  private static func secret() throws -> SecretBytes { try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = 77 } } }

  /// Makes a slot for it.
  package static func add(to signer: Signer) throws {
    _ = try signer.core.vault.addSlot(
      SlotEnrolment(type: .keyring, parameters: [1], secret: secret()), label: "keyring",
      provenBy: PassphraseOpener(box(TestHome.passphrase)), now: 1)
  }
}
