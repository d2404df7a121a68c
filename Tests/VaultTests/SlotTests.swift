import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct SlotTests {
  @Test("Every type of slot opens the vault") func everySlotOpensTheVault() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([.put(.identityKey, [1], try box([7]), .whenUnlocked)])
    let openers = [Owner.token, Owner.keyring, Owner.recovery, Owner.passkey]
    for opener in openers { try vault.add(opener) }
    #expect(try vault.slots.map(\.type) == [.passphrase, .token, .keyring, .recovery, .passkey])
    #expect(try vault.slots.map(\.label) == ["", "token 1", "keyring 1", "recovery 1", "passkey 1"])
    vault.close()
    for opener in openers {
      let again = try Vault.open(home: home.path, with: opener, now: 9, kinds: .tests)
      #expect(again.openedBy?.type == opener.type)
      #expect(again.isLocked == (opener.type == .keyring))
      if opener.type == .keyring {
        #expect(throws: VaultError.locked) { _ = try again.secret(kind: .identityKey, id: [1]) }
        try again.unlock(with: opener, now: 10)
        #expect(again.isLocked)
        try again.unlock(with: Owner.token, now: 10)
      }
      #expect(try again.secret(kind: .identityKey, id: [1]).array() == [7])
      #expect(try again.slots.first { $0.type == opener.type }?.lastUsed == (opener.type == .keyring ? 10 : 9))
      again.close()
    }
  }

  @Test("A proof that fits no slot is refused") func aSecretThatFitsNoSlotIsRefused() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.token)
    #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
      try vault.verify(with: FixedOpener(type: .token, name: 2), now: 1)
    }
    #expect(throws: KeyStoreError.vault(.noSuchSlot)) { try vault.verify(with: Owner.passkey, now: 1) }
    // A token counts for itself: nothing is slowed down here.
    for _ in 0..<10 { _ = try? vault.verify(with: FixedOpener(type: .token, name: 2), now: 1) }
    try vault.verify(with: Owner.passphrase(), now: 1)
    vault.close()
  }

  @Test("Guesses at a recovery kit are slowed down") func guessesAtRecoveryAreSlowedDown() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let kit = try box([UInt8](repeating: 3, count: 16))
    _ = try vault.addSlot(.recovery(master: kit, kit: [1, 2]), label: "kit", provenBy: Owner.passphrase(), now: 1)
    let wrong = RecoveryOpener(master: try box([UInt8](repeating: 4, count: 16)))
    for _ in 0..<2 {
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
        try vault.verify(with: wrong, now: 1)
      }
    }
    #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 1)) { try vault.verify(with: wrong, now: 1) }
    #expect(throws: KeyStoreError.vault(.throttled(waitSeconds: 1))) { try vault.verify(with: Owner.passphrase(), now: 1) }
    try vault.verify(with: RecoveryOpener(master: kit, kit: [1, 2]), now: 2000)
    #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
      try vault.verify(with: RecoveryOpener(master: kit, kit: [9]), now: 2000)
    }
    #expect(RecoveryOpener.kit(of: SlotDescription(id: 1, type: .recovery, parameters: try vault.slots[1].parameters)) == [1, 2])
    vault.close()
  }

  private static let leftAlone: [([FixedOpener], VaultError)] = [
    ([], .lastSlot), ([Owner.passkey], .onlyPasskeysLeft), ([Owner.passkey, Owner.secondPasskey], .onlyPasskeysLeft),
    ([Owner.keyring], .onlyKeyringLeft), ([Owner.keyring, Owner.passkey], .onlyPasskeysLeft),
  ]

  @Test("The last reliable slot of a vault cannot be removed", arguments: leftAlone.indices)
  func aVaultIsNotLeftWithWhatCanBeLost(index: Int) throws {
    let (others, refusal) = Self.leftAlone[index]
    let home = TemporaryHome()
    let vault = try home.create()
    for other in others { try vault.add(other) }
    #expect(throws: refusal) { try vault.removeSlot(1, now: 2) }
    #expect(try vault.slots.count == 1 + others.count)
    try vault.add(Owner.token)
    try vault.removeSlot(1, now: 2)
    #expect(throws: KeyStoreError.vault(.noSuchSlot)) { try vault.verify(with: Owner.passphrase(), now: 3) }
    vault.close()
    try Vault.open(home: home.path, with: Owner.token, now: 4, kinds: .tests).close()
  }

  @Test(
    "A vault cannot begin with only a slot that can be lost",
    arguments: [(Owner.passkey, VaultError.onlyPasskeysLeft), (Owner.keyring, .onlyKeyringLeft)])
  func aVaultDoesNotBeginWithWhatCanBeLost(first: FixedOpener, refusal: VaultError) throws {
    let home = TemporaryHome()
    #expect(throws: KeyStoreError.vault(refusal)) {
      try Vault.create(home: home.path, first: first.enrolment(), label: "first", now: 1, kinds: .tests)
    }
    #expect(!Vault.exists(home: home.path))
    try Vault.create(home: home.path, first: Owner.token.enrolment(), label: "first", now: 1, kinds: .tests).close()
    try Vault.open(home: home.path, with: Owner.token, now: 2, kinds: .tests).close()
  }

  @Test("A removed slot opens nothing") func aRemovedSlotOpensNothing() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let id = try vault.add(Owner.token)
    try vault.removeSlot(id, now: 3)
    #expect(throws: VaultError.noSuchSlot) { try vault.removeSlot(id, now: 3) }
    #expect(throws: KeyStoreError.vault(.noSuchSlot)) { try vault.verify(with: Owner.token, now: 3) }
    #expect(try vault.add(Owner.token) > id)  // an id is never given twice
    vault.close()
  }

  @Test("A new passphrase replaces the old one completely") func aChangedPassphraseTakesThePlaceOfTheOld() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.renameSlot(1, to: "on paper")
    try vault.changePassphrase(shown: Owner.passphrase(), to: .passphrase(secret("new"), cost: .floor), now: 7)
    #expect(try vault.slots.map(\.label) == ["on paper"] && vault.slots.map(\.made) == [7])
    // What opened before is in no file any more, not even in a part that is free: at once, and not only when the vault is closed.
    let old = Data([0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 28])
    for name in ["vault.db", "vault.db-wal"] { #expect(Data(try home.bytes(of: name)).range(of: old) == nil) }
    vault.close()
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open() }
    try home.open("new").close()
    #expect(Data(try home.bytes()).range(of: old) == nil)
  }

  @Test("A passphrase is replaced by what opens as much, and not by what opens less")
  func aForgottenPassphraseIsReplaced() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.token)
    let keyring = FixedOpener(type: .keyring, name: 9)
    try vault.add(keyring)
    let refusal = KeyStoreError.vault(.notEntitled(.whenUnlocked))
    try vault.transaction([.put(.itemValue, [1], try box([1]), .whenUnlocked)])
    #expect(throws: refusal) {
      try vault.replacePassphrase(1, provenBy: keyring, with: .passphrase(secret("new"), cost: .floor), now: 7)
    }
    #expect(throws: KeyStoreError.vault(.noSuchSlot)) {
      try vault.replacePassphrase(2, provenBy: Owner.token, with: .passphrase(secret("new"), cost: .floor), now: 7)
    }
    try vault.verify(with: Owner.passphrase(), now: 8)
    #expect(try vault.replacePassphrase(1, provenBy: Owner.token, with: .passphrase(secret("new"), cost: .floor), now: 9) == 1)
    #expect(try vault.slots.first.map { $0.made == 9 && $0.lastUsed == nil } == true)
    vault.close()
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open() }
    try home.open("new").close()
  }

  @Test("A passphrase that a passkey set opens all that the old one did, also classes that the passkey does not open")
  func aPassphraseSetByAPasskeyLosesNoClass() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    for opener in [Owner.recovery, Owner.passkey] { try vault.add(opener) }
    let id = [ProtectionClass.devicePasscode.rawValue]
    let change = RecordChange.put(.itemValue, id, try box([1]), .devicePasscode)
    try vault.transaction([change], by: vault.present(Owner.passphrase(), now: 6))
    #expect(throws: KeyStoreError.vault(.notEntitled(.devicePasscode)), "it has a record") {
      try vault.replacePassphrase(1, provenBy: Owner.passkey, with: .passphrase(secret("new"), cost: .floor), now: 7)
    }
    try vault.transaction([.delete(kind: .itemValue, id: id)], by: vault.present(Owner.passphrase(), now: 7))
    _ = try vault.replacePassphrase(1, provenBy: Owner.passkey, with: .passphrase(secret("new"), cost: .floor), now: 8)
    vault.close()
    let again = try home.open("new")
    for opener in [try Owner.passphrase("new"), Owner.recovery] as [any SlotOpener] {
      let presence = try again.present(opener, now: 2_000_000)
      try again.transaction([change], by: presence)
      #expect(try again.secret(kind: .itemValue, id: id, by: presence).array() == [1])
    }
    again.close()
  }

  @Test("The label of a slot must be short and printable") func labelsAreShortAndPlain() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    for label in [String(repeating: "x", count: 65), "a\nb", "a\u{7f}"] {
      #expect(throws: VaultError.nameNotAllowed) { try vault.renameSlot(1, to: label) }
    }
    #expect(throws: VaultError.noSuchSlot) { try vault.renameSlot(9, to: "x") }
    vault.close()
  }

  @Test("A vault has at most sixteen slots") func thereAreSixteenSlotsAtMost() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    for name in 1...15 { try vault.add(FixedOpener(type: .token, name: UInt8(name)), provenBy: name == 1 ? nil : Owner.token) }
    #expect(throws: KeyStoreError.vault(.tooManySlots(limit: 16))) {
      try vault.add(FixedOpener(type: .token, name: 16), provenBy: Owner.token)
    }
    vault.close()
    try home.open().close()
  }

  @Test("A tested slot records the time of the test") func aTestedSlotSaysWhen() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    #expect(try vault.slots[0].lastTested == nil)
    let info = try vault.testSlot(with: Owner.passphrase(), now: 77)
    #expect(info.lastTested == 77 && info.id == 1)
    vault.close()
  }
}
