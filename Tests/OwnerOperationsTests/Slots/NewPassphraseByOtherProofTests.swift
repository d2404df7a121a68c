import AuditLog
import Ciphers
import DaemonSupport
import JSON
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// A passphrase that is forgotten, and set anew by somebody who shows another credential.
@Suite struct NewPassphraseByOtherProofTests {
  private func shares(_ signer: Signer) throws -> SecretBox {
    let made = try signer.operations.ask(
      "recovery/create", ["threshold": 1, "shares": 1], secrets: ["passphrase": box(TestHome.passphrase)])
    return try box(unwrap(made["shares"]?[0]?.string))
  }

  @Test("Shares of a kit set the passphrase anew, and the old one opens nothing then") func sharesSetItAnew() throws {
    let signer = try Signer()
    let kit = try shares(signer)
    let answer = try signer.operations.ask(
      "slot/passphrase", [:], secrets: ["shares": kit, "new_passphrase": box("another horse")])
    #expect(answer["slot"]?["id"] == 1 || answer["id"] == 1)
    let vault = signer.core.vault
    #expect(throws: KeyStoreError.self) { try vault.verify(with: PassphraseOpener(try box(TestHome.passphrase)), now: 10) }
    try vault.verify(with: PassphraseOpener(try box("another horse")), now: 1 << 45)
    #expect(try signer.entries(.passphraseChanged).map(\.rule) == ["recovery"])
    #expect(try vault.slots.filter { $0.type == .passphrase }.count == 1)
    signer.close()
  }

  @Test("Wrong shares change nothing, and are recorded") func wrongSharesChangeNothing() throws {
    let (signer, other) = (try Signer(), try Signer())
    _ = try shares(signer)
    let foreign = try shares(other)
    other.close()
    #expect(throws: OperationError.self) {
      try signer.operations.ask("slot/passphrase", [:], secrets: ["shares": foreign, "new_passphrase": box("another horse")])
    }
    try signer.core.vault.verify(with: PassphraseOpener(try box(TestHome.passphrase)), now: 1 << 45)
    #expect(try signer.entries(.passphraseChanged).isEmpty && signer.entries(.vaultOpenFailed).count == 1)
    signer.close()
  }

  @Test("Of several passphrases another proof replaces none") func severalAreNotGuessed() throws {
    let signer = try Signer()
    let kit = try shares(signer)
    try signer.operations.ask(
      "slot/add", ["type": "passphrase"],
      secrets: ["passphrase": box(TestHome.passphrase), "new_passphrase": box("a second one")])
    let error = #expect(throws: OperationError.self) {
      try signer.operations.ask("slot/passphrase", [:], secrets: ["shares": kit, "new_passphrase": box("another horse")])
    }
    #expect(error?.error == "Several passphrases open this vault.")
    signer.close()
  }
}
