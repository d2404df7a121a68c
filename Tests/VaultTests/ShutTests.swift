import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A vault without any class key in memory, as a panic leaves it.
@Suite struct ShutTests {
  let home = TemporaryHome()
  let vault: Vault

  init() throws {
    vault = try home.create()
    try vault.transaction([
      .put(.setting, [1], [2, 3]), .put(.pairingKey, [7], SecretBox(try secret("transport")), .afterFirstUnlock),
    ])
  }

  private func keysInMemory() throws -> Int {
    try vault.withOpen { open throws(VaultError) in
      let following = [
        try? open.keys.inventoryKey(), try? open.keys.indexKey(.afterFirstUnlock), try? open.keys.strictKey(vaultID: []),
      ]
      return open.keys.all.count + following.compactMap { $0 }.count
    }
  }

  @Test("A shut vault has no class key, and nothing derived from one, in memory")
  func nothingDerivableStays() throws {
    #expect(try keysInMemory() > 0)
    vault.lock()
    #expect(try keysInMemory() > 0 && !vault.isShut, "a locked one goes on serving")
    vault.shut()
    #expect(try keysInMemory() == 0 && vault.isShut && vault.isLocked)
    #expect(throws: VaultError.locked) { _ = try vault.records(.setting) }
    #expect(throws: VaultError.locked) { _ = try vault.ids(.pairingKey) }
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .pairingKey, id: [7]) }
    #expect(throws: VaultError.locked) { try vault.transaction([.put(.setting, [1], [4])]) }
    vault.shut()
    #expect(vault.isShut)
  }

  @Test("Unlocking a shut vault restores it, and failed attempts keep counting")
  func unlockingOpensIt() throws {
    try vault.add(Owner.keyring)
    vault.shut()
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try vault.unlock(passphrase: secret("no"), now: 1) }
    #expect(vault.isShut)
    #expect(try vault.unlock(passphrase: secret("open sesame"), now: 2) == 1)
    #expect(try vault.value(.setting, id: [1]) == [2, 3] && !vault.isLocked)
    try vault.transaction([.put(.setting, [1], [5])])
    vault.close()
    #expect(try home.open().value(.setting, id: [1]) == [5])
  }

  @Test("A credential shown for another purpose does not unlock a shut vault")
  func otherProofsLeaveItShut() throws {
    vault.shut()
    try vault.verify(with: Owner.passphrase(), now: 1)
    #expect(try keysInMemory() == 0)
    let presence = try vault.present(Owner.passphrase(), now: 2)
    #expect(try keysInMemory() == 0 && !presence.classes.isEmpty)
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .pairingKey, id: [7], by: presence) }
    #expect(throws: KeyStoreError.self) { _ = try vault.testSlot(with: Owner.passphrase(), now: 3) }
    #expect(try keysInMemory() == 0)
    try vault.unlock(with: Owner.passphrase(), now: 4)
    #expect(try vault.value(.setting, id: [1]) == [2, 3])
  }
}
