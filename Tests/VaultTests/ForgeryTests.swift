import Ciphers
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// Somebody who can write the file, and knows how it is made.
@Suite struct ForgeryTests {
  private func filledHome() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.token)
    try vault.add(Owner.keyring)
    try vault.transaction([.put(.identityKey, [1], try box([7]), .whenUnlocked)])
    vault.close()
    return home
  }

  private func rewrite(_ home: TemporaryHome, mac: ClassKeys? = nil, _ change: (inout VaultHeader) throws -> Void) throws {
    try home.edit { database in
      guard case .two(var header) = try HeaderTable.read(from: database).header else { throw VaultError.noVault }
      let old = try HeaderTable.read(from: database)
      try change(&header)
      let code = try mac?.mac(of: header.bytes, vaultID: header.vaultID) ?? old.mac
      try HeaderTable.write(header.bytes, code, to: database)
    }
  }

  enum Forgery: CaseIterable { case swappedWraps, swappedOneWrap, removedWrap, keyringsWrap, newerGeneration, cheaperPassphrase }

  @Test("A header that was recombined from its own parts does not open", arguments: Forgery.allCases)
  func aHeaderPutTogetherFromItsPartsDoesNotOpen(forgery: Forgery) throws {
    let home = try filledHome()
    try rewrite(home) { header in
      switch forgery {
      case .swappedWraps:
        let wraps = header.slots[0].wraps
        header.slots[0].wraps = header.slots[1].wraps
        header.slots[1].wraps = wraps
      case .swappedOneWrap:
        let wrap = header.slots[0].wraps[1]
        header.slots[0].wraps[1] = header.slots[1].wraps[1]
        header.slots[1].wraps[1] = wrap
      case .removedWrap: for index in header.slots.indices { header.slots[index].drop(.afterFirstUnlockThisDeviceOnly) }
      case .keyringsWrap: header.slots[2].wraps = header.slots[1].wraps
      case .newerGeneration: header.generation += 1
      case .cheaperPassphrase:
        var slot = Keyslot(
          id: 1, type: 1, generation: header.slots[0].generation,
          parameters: PassphraseParameters.bytes(.interactive, Array(header.slots[0].parameters.suffix(16))))
        (slot.commitment, slot.publicKey) = (header.slots[0].commitment, header.slots[0].publicKey)
        (slot.authentication, slot.wraps, slot.code) = (
          header.slots[0].authentication, header.slots[0].wraps, header.slots[0].code
        )
        header.slots[0] = slot
      }
    }
    for opener in [Owner.token, Owner.keyring] {
      #expect { try Vault.open(home: home.path, with: opener, now: 1, kinds: .tests).close() } throws: { error in
        ["\(KeyStoreError.corrupt("header"))", "\(KeyStoreError.corrupt("keyslot"))"].contains("\(error)")
      }
    }
    #expect(throws: VaultError.self) { try home.open() }
  }

  /// Public keys are public: a stranger seals class keys of his own to the owner's slots. Without the slots' secrets he cannot
  /// make their codes.
  @Test("Class keys that a stranger made are not accepted") func classKeysOfAStrangerAreNotTaken() throws {
    let home = try filledHome()
    var keys = ClassKeys()
    for protection in [ProtectionClass.afterFirstUnlock, .whenUnlocked] { try keys.setRandom(protection) }
    try rewrite(home, mac: keys) { header in
      for index in header.slots.indices {
        let authentication = SecretBox(try SecretBytes(randomCount: 32))
        for (protection, key) in keys.all {
          header.slots[index].set(
            try ClassWrap.seal(
              key, as: protection, for: header.slots[index], of: header.vaultID, device: nil, enrolment: header.enrolment))
        }
        header.slots[index].authentication = try SlotAuthentication.seal(
          authentication, of: header.slots[index], header.vaultID, keys.slotSealingKey(vaultID: header.vaultID))
        header.slots[index].code = SlotAuthentication.code(header.slots[index], header.vaultID, authentication)
      }
    }
    #expect(throws: VaultError.corrupt(what: "keyslot")) { try home.open() }
    #expect(throws: KeyStoreError.corrupt("keyslot")) {
      try Vault.open(home: home.path, with: Owner.token, now: 1, kinds: .tests)
    }
  }

  enum ByKeyring: CaseIterable { case ownSlot, ownKeyForAll, ownPublicKey }

  /// What a keyring opens is enough to make a header that is authentic. It is not enough for a slot that is given more at the
  /// owner's next unlocking, nor to put class keys in the place of those the owner has.
  @Test("Access to the keyring gives no further slots or keys", arguments: ByKeyring.allCases)
  func whoReadsTheKeyringGivesHimselfNothing(way: ByKeyring) throws {
    let home = try filledHome()
    let vault = try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests)
    let (whole, keys) = try vault.withOpen { ($0.header, $0.keys) }
    vault.close()
    #expect(keys.classes == [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly])
    let sealing = try keys.slotSealingKey(vaultID: whole.vaultID)
    try rewrite(home, mac: keys) { header in
      func recode(_ index: Int, _ key: SecretBox) throws {
        header.slots[index].authentication = try SlotAuthentication.seal(key, of: header.slots[index], header.vaultID, sealing)
        header.slots[index].code = SlotAuthentication.code(header.slots[index], header.vaultID, key)
      }
      switch way {
      case .ownSlot:
        let bare = Keyslot(id: 9, type: SlotType.token.rawValue, generation: header.generation, parameters: [9])
        let slotKeys = try SlotKeys(FixedOpener(type: .token, name: 9).enrolment().secret, of: bare, header.vaultID)
        var slot = slotKeys.filled(bare)
        slot.set(
          try ClassWrap.seal(
            keys.key(.afterFirstUnlock), as: .afterFirstUnlock, for: slot, of: header.vaultID, device: nil,
            enrolment: header.enrolment))
        slot.guardCodes = SlotGuard.codes(slot, header.vaultID, slotKeys.guardKey, version: header.version)
        header.slots.append(slot)
        try recode(header.slots.count - 1, slotKeys.authentication)
      case .ownKeyForAll:
        let own = SecretBox(try SecretBytes(randomCount: 32))
        for index in header.slots.indices where header.slots[index].isGuarded {
          let key = try SlotAuthentication.open(header.slots[index], header.vaultID, sealing)
          header.slots[index].set(
            try ClassWrap.seal(
              own, as: .whenUnlocked, for: header.slots[index], of: header.vaultID, device: nil, enrolment: header.enrolment))
          try recode(index, key)
        }
      case .ownPublicKey:
        let key = try SlotAuthentication.open(header.slots[1], header.vaultID, sealing)
        header.slots[1].publicKey = try SecretBytes(randomCount: 32).withBytes { try X25519.publicKey(of: $0) }
        try recode(1, key)
      }
    }
    #expect(throws: VaultError.corrupt(what: "keyslot")) { try home.open() }
  }

  /// Also by the front door, and while the session is open.
  @Test("A keyring is not enough proof for a new slot") func aKeyringProvesNoNewSlot() throws {
    let home = try filledHome()
    let vault = try home.open()
    for isLocked in [false, true] {
      if isLocked { vault.lock() }
      for opener in [FixedOpener(type: .token, name: 9), FixedOpener(type: .keyring, name: 9)] {
        #expect(throws: KeyStoreError.vault(.notEntitled(.whenUnlocked))) { try vault.add(opener, provenBy: Owner.keyring) }
      }
    }
    vault.close()
  }

  @Test("A slot of another vault opens nothing") func aSlotOfAnotherVaultOpensNothing() throws {
    let (home, other) = (try filledHome(), try filledHome())
    var slot: Keyslot?
    try rewrite(other) { slot = $0.slots[1] }
    try rewrite(home) { header in if let slot { header.slots[1] = slot } }
    #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
      try Vault.open(home: home.path, with: Owner.token, now: 1, kinds: .tests)
    }
  }

  @Test("A changed device secret opens none of its classes") func noFlippedBitOfTheDeviceSecretOpensItsClasses() throws {
    let home = try filledHome()
    let vault = try home.open()
    try vault.transaction([.put(.itemValue, [1], try box([1]), .afterFirstUnlockThisDeviceOnly)])
    vault.close()
    let original = try home.bytes(of: "device.key")
    for index in original.indices {
      var bytes = original
      bytes[index] ^= 0x10
      try home.write(bytes, to: "device.key")
      let vault = try Vault.open(home: home.path, with: Owner.token, now: 1, kinds: .tests)
      #expect(throws: VaultError.otherDevice, "byte \(index)") { _ = try vault.secret(kind: .itemValue, id: [1]) }
      vault.close()
    }
  }
}
