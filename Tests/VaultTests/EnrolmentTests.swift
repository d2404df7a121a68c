import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// `biometricRequired` is for the passkeys that were enrolled with it, as Apple's current set is for the fingers of then.
@Suite struct EnrolmentTests {
  private static let item: [UInt8] = [1]

  private func vault(_ home: TemporaryHome, _ protection: ProtectionClass = .biometricRequired) throws -> Vault {
    let vault = try home.create()
    try vault.add(Owner.passkey)
    try vault.add(Owner.recovery)
    let presence = try vault.present(Owner.passkey, now: 6)
    try vault.transaction([.put(.itemValue, Self.item, try box([42]), protection)], by: presence)
    return vault
  }

  private func read(_ vault: Vault, _ opener: FixedOpener) throws -> [UInt8] {
    let presence = try vault.present(opener, now: 7)
    return try vault.secret(kind: .itemValue, id: Self.item, by: presence).array()
  }

  enum Change: CaseIterable { case added, removed, replaced }

  @Test("A changed set of passkeys opens nothing until it is enrolled again", arguments: Change.allCases)
  func anotherSetOfPasskeysOpensNothingUntilEnrolledAnew(change: Change) throws {
    let home = TemporaryHome()
    let vault = try vault(home)
    #expect(try read(vault, Owner.passkey) == [42])
    let id = try #require(vault.slots.first { $0.type == .passkey }?.id)
    if change != .removed { try vault.add(Owner.secondPasskey) }
    if change != .added { try vault.removeSlot(id, now: 8) }
    if change == .removed { try vault.add(Owner.secondPasskey) }
    for opener in change == .added ? [Owner.passkey, Owner.secondPasskey] : [Owner.secondPasskey] {
      #expect(throws: VaultError.biometryChanged) { _ = try read(vault, opener) }
    }
    #expect(throws: VaultError.biometryChanged) { _ = try vault.secret(kind: .itemValue, id: Self.item) }
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault, Owner.recovery) }  // only to enrol, never for a use
    #expect(throws: KeyStoreError.vault(.notEntitled(.biometricRequired))) {
      try vault.enrolAnew(by: Owner.secondPasskey, now: 9)
    }
    #expect(throws: KeyStoreError.vault(.notEntitled(.biometricRequired))) { try vault.enrolAnew(by: Owner.passphrase(), now: 9) }
    #expect(try vault.enrolAnew(by: Owner.recovery, now: 9).rotated == [.biometricRequired])
    #expect(try read(vault, Owner.secondPasskey) == [42])
    if change == .added { #expect(try read(vault, Owner.passkey) == [42]) }
    #expect(throws: VaultError.notEntitled(.biometricRequired)) { _ = try read(vault, Owner.recovery) }
    vault.close()
    let again = try home.open()
    #expect(try read(again, Owner.secondPasskey) == [42])
    again.close()
  }

  /// The earlier set does not come back: age-plugin-se revives a key when the added finger is removed again.
  @Test("Removing an added passkey does not open the class again") func removingTheAddedPasskeyDoesNotReviveTheClass() throws {
    let home = TemporaryHome()
    let vault = try vault(home)
    let added = try vault.add(Owner.secondPasskey)
    try vault.removeSlot(added, now: 8)
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault, Owner.passkey) }
    vault.close()
  }

  @Test("A change of passkeys has no effect while the class is empty") func withoutRecordsThereIsNothingToInvalidate() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.passkey)
    try vault.add(Owner.secondPasskey)
    for opener in [Owner.passkey, Owner.secondPasskey] {
      let presence = try vault.present(opener, now: 6)
      try vault.transaction([.put(.itemValue, Self.item, try box([9]), .biometricRequired)], by: presence)
    }
    #expect(try read(vault, Owner.passkey) == [9] && read(vault, Owner.secondPasskey) == [9])
    vault.close()
  }

  /// What nobody could enrol anew is not given up by accident.
  @Test("A change of passkeys that would lose records needs the owner's consent", arguments: [true, false])
  func withoutARecoveryKitTheChangeIsRefusedFirst(isThisDevice: Bool) throws {
    let protection: ProtectionClass = isThisDevice ? .biometricRequiredThisDeviceOnly : .biometricRequired
    let home = TemporaryHome()
    let vault = try vault(home, protection)
    let ids = try vault.slots
    if !isThisDevice { try vault.removeSlot(#require(ids.first { $0.type == .recovery }?.id), now: 7) }
    #expect(throws: KeyStoreError.vault(.wouldLose(protection))) { try vault.add(Owner.secondPasskey) }
    #expect(throws: VaultError.wouldLose(protection)) {
      try vault.removeSlot(#require(ids.first { $0.type == .passkey }?.id), now: 7)
    }
    #expect(try read(vault, Owner.passkey) == [42])
    try vault.add(Owner.secondPasskey, acceptingLoss: true)
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault, Owner.passkey) }
    if isThisDevice {
      #expect(throws: KeyStoreError.vault(.notEntitled(protection))) { try vault.enrolAnew(by: Owner.recovery, now: 8) }
    }
    // Given up on purpose: the records go, the class can be used again.
    try vault.enrolAnew(by: Owner.passphrase(), discarding: true, now: 8)
    #expect(throws: VaultError.notFound) { _ = try read(vault, Owner.secondPasskey) }
    let presence = try vault.present(Owner.secondPasskey, now: 9)
    try vault.transaction([.put(.itemValue, Self.item, try box([5]), protection)], by: presence)
    #expect(try read(vault, Owner.passkey) == [5])
    vault.close()
    try home.open().close()
  }

  /// The next input of a passkey's PRF is no other passkey.
  @Test("A new salt for the same passkey keeps its enrolment") func aPasskeysNextInputKeepsTheEnrolment() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    func enrolment(_ input: UInt8, _ output: SecretBox) throws -> SlotEnrolment {
      try .passkey(PasskeyParameters(input: [UInt8](repeating: input, count: 32), credential: [7, 7]), output: output)
    }
    let (first, second) = (try box([UInt8](repeating: 1, count: 32)), try box([UInt8](repeating: 2, count: 32)))
    _ = try vault.addSlot(enrolment(1, first), label: "phone", provenBy: Owner.passphrase(), now: 1)
    let presence = try vault.present(PasskeyOpener(credential: [7, 7], output: first), now: 2)
    try vault.transaction([.put(.itemValue, Self.item, try box([3]), .biometricRequired)], by: presence)
    try vault.replaceSlot(shown: PasskeyOpener(credential: [7, 7], output: first), with: enrolment(2, second), now: 3)
    let next = try vault.present(PasskeyOpener(credential: [7, 7], output: second), now: 4)
    #expect(try vault.secret(kind: .itemValue, id: Self.item, by: next).array() == [3])
    #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
      try vault.verify(with: PasskeyOpener(credential: [7, 7], output: first), now: 5)
    }
    #expect(throws: KeyStoreError.vault(.noSuchSlot)) {
      let other = try SlotEnrolment.passkey(
        PasskeyParameters(input: [UInt8](repeating: 1, count: 32), credential: [8]), output: first)
      try vault.replaceSlot(shown: PasskeyOpener(credential: [7, 7], output: second), with: other, now: 6)
    }
    vault.close()
  }

  /// A slot added by who has less gets the rest when a slot is used that has it.
  @Test("A second passkey gets its missing class keys when the first is used")
  func aSecondPasskeyGetsWhatAPassphraseCannotGiveWhenTheFirstIsUsed() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.passkey)
    let presence = try vault.present(Owner.passkey, now: 6)
    try vault.transaction([.put(.itemValue, Self.item, try box([8]), .biometricAny)], by: presence)
    let second = try vault.add(Owner.secondPasskey)
    #expect(try vault.slots.first { $0.id == second }?.lacks.contains(.biometricAny) == true)
    #expect(throws: VaultError.notEntitled(.biometricAny)) { _ = try read(vault, Owner.secondPasskey) }
    try vault.verify(with: Owner.passkey, now: 7)
    #expect(try vault.slots.first { $0.id == second }?.lacks.isEmpty == true)
    #expect(try read(vault, Owner.secondPasskey) == [8])
    vault.close()
  }
}
