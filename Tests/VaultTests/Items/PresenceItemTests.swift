import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct PresenceItemTests {
  private func presence(_ test: TestStore) throws -> Presence {
    try test.vault.present(PassphraseOpener(SecretBox(try secret("open sesame"))), now: 1)
  }

  @Test(
    "An item that needs presence opens only with presence",
    arguments: [ProtectionClass.devicePasscode, .biometricOrPasscode, .devicePasscodeThisDeviceOnly])
  func anItemThatNeedsPresenceIsOpenedWithItOnly(permissions: ProtectionClass) throws {
    let test = try TestStore()
    #expect(throws: KeyStoreError.interactionNotAllowed) {
      try test.store.put(secret("one"), as: name("a"), permissions: permissions)
    }
    try test.store.store(secret("one"), as: name("a"), permissions: permissions, by: presence(test))
    #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(name("a")) }
    #expect(try test.store.retrieve(name("a"), by: presence(test)).array() == Array("one".utf8))
    // Locked or not makes no difference, and the proof of one use opens no session.
    test.vault.lock()
    #expect(try test.store.retrieve(name("a"), by: presence(test)).array() == Array("one".utf8))
    #expect(test.vault.isLocked)
    #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(name("a")) }
    #expect(try test.store.note(of: name("a")).permissions == permissions)
  }

  @Test("An item cannot be stored in a class that the slot may not open")
  func aClassThatTheSlotMayNotOpenIsRefusedByName() throws {
    let test = try TestStore()
    let shown = try presence(test)
    #expect(throws: (any Error).self) {
      try test.store.store(secret("one"), as: name("a"), permissions: .biometricAny, by: shown)
    }
    #expect(try !test.store.exists(name("a")))
  }

  @Test("A session that was saved with presence is restored only with presence")
  func aSessionSavedWithPresenceIsRestoredWithItOnly() throws {
    let test = try TestStore()
    let storage = try SessionStorage(in: test.store, service: "wallet")
    try storage.save(SessionStorageTests.session(), under: .whenUnlocked)
    try storage.save(SessionStorageTests.session(), under: .biometricOrPasscode, by: presence(test))
    #expect(throws: SessionStorageError.store(.interactionNotAllowed)) { try storage.restore(under: .biometricOrPasscode) }
    #expect(throws: SessionStorageError.savedUnder(.biometricOrPasscode)) { try storage.restore(under: .whenUnlocked) }
    let again = try storage.restore(under: .biometricOrPasscode, by: presence(test))
    #expect(again.user == "u-1" && again.viewingKey?.count == 8)
    #expect(try storage.secret(.accessToken, under: .biometricOrPasscode, by: presence(test)).array() == Array("secret 0".utf8))
    // Nothing of it is left under the earlier class.
    for note in try test.store.list(service: "wallet") {
      #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(note.name) }
    }
  }

  @Test("With presence, permissions can be changed in both directions") func permissionsChangeBothWaysWithPresence() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("a"))
    try test.store.setPermissions(.devicePasscode, of: name("a"), by: presence(test))
    #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(name("a")) }
    try test.store.setPermissions(.whenUnlocked, of: name("a"), by: presence(test))
    #expect(try test.store.retrieve(name("a")).array() == Array("one".utf8))
  }

  @Test("No value stays in memory after presence ends") func aPresenceThatIsOverLeavesNothingInMemory() throws {
    let test = try TestStore()
    let canary = Canary(0x17e4)
    try test.store.store(
      SecretBytes(count: Canary.length) { canary.plant(in: $0) }, as: name("a"), permissions: .devicePasscode,
      by: presence(test))
    do {
      let value = try test.store.retrieve(name("a"), by: presence(test))
      #expect(value.withBytes { canary.occurrences(in: $0) } == 1)
    }
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }
}
