import Ciphers
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// What would be lost is said before it is.
@Suite struct LossTests {
  private func vault(_ protection: ProtectionClass, _ slots: [FixedOpener]) throws -> (TemporaryHome, Vault) {
    let home = TemporaryHome()
    let vault = try home.create()
    for slot in slots { try vault.add(slot) }
    let presence = try vault.present(Owner.passkey, now: 6)
    try vault.transaction([.put(.identityKey, [1], try box([7]), protection)], by: presence)
    return (home, vault)
  }

  @Test("Removing a slot is refused for exactly the classes it would lose")
  func theClassesThatARemovalWouldLoseAreThoseItIsRefusedFor() throws {
    let (home, vault) = try vault(.biometricAny, [Owner.passkey])
    let passkey = try #require(try vault.slots.last?.id)
    #expect(try vault.classesLost(byRemoving: passkey) == [.biometricAny])
    #expect(throws: VaultError.wouldLose(.biometricAny)) { try vault.removeSlot(passkey, now: 7) }
    #expect(try vault.counts(of: [.biometricAny]) == [.identityKey: 1])
    try vault.add(Owner.recovery)
    // The kit gets the key when the passkey is used.
    _ = try vault.verify(with: Owner.passkey, now: 8)
    #expect(try vault.classesLost(byRemoving: passkey).isEmpty)
    try vault.removeSlot(passkey, now: 9)
    withExtendedLifetime(home) {}
  }

  @Test("A slot that cannot be removed at all is reported in advance") func whatCannotBeRemovedAtAllIsSaidBefore() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    #expect(throws: VaultError.lastSlot) { try vault.classesLost(byRemoving: 1) }
    #expect(throws: VaultError.noSuchSlot) { try vault.classesLost(byRemoving: 99) }
    try vault.add(Owner.passkey)
    #expect(throws: VaultError.onlyPasskeysLeft) { try vault.classesLost(byRemoving: 1) }
  }

  @Test("A further passkey is refused while no kit can enrol it") func aFurtherPasskeyLosesWhatNoKitCanEnrolAnew() throws {
    let (home, vault) = try vault(.biometricRequired, [Owner.passkey])
    #expect(try vault.classesLostByAPasskey == [.biometricRequired])
    #expect(throws: KeyStoreError.vault(.wouldLose(.biometricRequired))) { try vault.add(Owner.secondPasskey) }
    try vault.add(Owner.recovery)
    _ = try vault.verify(with: Owner.passkey, now: 8)
    #expect(try vault.classesLostByAPasskey.isEmpty)
    try vault.add(Owner.secondPasskey)
    withExtendedLifetime(home) {}
  }

  @Test("A slot whose device is absent does not stop another from opening")
  func aSlotWhoseDeviceIsAwayKeepsNoOtherFromOpening() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(FixedOpener(type: .token, name: 1))
    try vault.add(FixedOpener(type: .token, name: 2))
    // The first token is not there, the second is.
    let absent = AbsentOpener(absent: 1, present: FixedOpener(type: .token, name: 2))
    #expect(try vault.unlock(with: absent, now: 9).slot == vault.slots.last?.id)
    let none = AbsentOpener(absent: 2, present: FixedOpener(type: .token, name: 3))
    #expect(throws: KeyStoreError.notPresent("the token")) { try vault.unlock(with: none, now: 9) }
    vault.close()
    withExtendedLifetime(home) {}
  }

  /// An unlocking by a slot is written down, whatever type it is of, and so is the opening of the file. A passkey gave its output when its
  /// slot was made, so that counts as its first test.
  @Test("Every type of slot records its last use", arguments: SlotType.allCases)
  func everyTypeOfSlotRemembersItsUse(type: SlotType) throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let opener = FixedOpener(type: type, name: 5)
    let id = type == .passphrase ? 1 : try vault.add(opener)
    func used(_ vault: Vault) throws -> Int64? { try vault.slots.first { $0.id == id }?.lastUsed }
    let shown: any SlotOpener = type == .passphrase ? try Owner.passphrase() : opener
    if type != .passphrase { #expect(try used(vault) == nil) }
    _ = try vault.unlock(with: shown, now: 700)
    #expect(try used(vault) == 700 && vault.slots.first { $0.id == id }?.lastTested == (type == .passkey ? 5 : nil))
    vault.close()
    let again = try Vault.open(home: home.path, with: shown, now: 800, kinds: .tests)
    #expect(try used(again) == 800)
    _ = try again.testSlot(with: shown, now: 900)
    #expect(try again.slots.first { $0.id == id }.map { [$0.lastUsed, $0.lastTested] } == [900, 900])
    again.close()
  }
}

/// One slot's device is away, another's is there.
private struct AbsentOpener: SlotOpener {
  let absent: UInt8
  let present: FixedOpener
  var type: SlotType { .token }

  func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    if slot.parameters.first == absent { throw .notPresent("the token") }
    return try present.secret(of: slot)
  }
}
