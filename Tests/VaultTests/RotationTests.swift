import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct RotationTests {
  /// One record of each class that can be written by passphrase and passkey.
  private func filled(_ home: TemporaryHome) throws -> Vault {
    let vault = try home.create()
    try vault.add(Owner.passkey)
    try vault.add(Owner.recovery)
    let passkey = try vault.present(Owner.passkey, now: 6)
    let passcode = try vault.present(Owner.passphrase(), now: 6)
    for protection in ProtectionClass.allCases {
      let change = RecordChange.put(.itemValue, [protection.rawValue], try box([protection.rawValue]), protection)
      if !protection.needsPresence {
        try vault.transaction([change])
      } else if passkey.classes.contains(protection) {
        try vault.transaction([change], by: passkey)
      } else {
        try vault.transaction([change], by: passcode)
      }
    }
    return vault
  }

  private func read(_ vault: Vault, _ protection: ProtectionClass) throws -> [UInt8] {
    if !protection.needsPresence { return try vault.secret(kind: .itemValue, id: [protection.rawValue]).array() }
    let passkey = try vault.present(Owner.passkey, now: 6)
    if passkey.classes.contains(protection) {
      return try vault.secret(kind: .itemValue, id: [protection.rawValue], by: passkey).array()
    }
    let passcode = try vault.present(Owner.passphrase(), now: 6)
    return try vault.secret(kind: .itemValue, id: [protection.rawValue], by: passcode).array()
  }

  private func rows(_ home: TemporaryHome) throws -> [UInt8: (name: [UInt8], wrapped: [UInt8])] {
    var rows: [UInt8: ([UInt8], [UInt8])] = [:]
    try home.edit { database in
      let row = try database.prepare("SELECT class, name, wrapped FROM records WHERE kind = 19")
      while try row.step() { rows[UInt8(row.integer(0))] = (row.bytes(1), row.bytes(2)) }
    }
    return rows
  }

  @Test("A rotation seals every record again, and all still open") func everythingIsSealedAnewAndOpensAsBefore() throws {
    let home = TemporaryHome()
    let vault = try filled(home)
    vault.close()
    let before = try rows(home)
    let again = try home.open()
    let result = try again.rotateClassKeys(provenBy: [Owner.passphrase(), Owner.passkey], now: 7)
    #expect(result.rotated == ProtectionClass.allCases && result.kept.isEmpty)
    for protection in ProtectionClass.allCases { #expect(try read(again, protection) == [protection.rawValue]) }
    again.close()
    let after = try rows(home)
    #expect(before.count == 12 && after.count == 12)
    for protection in ProtectionClass.allCases {
      let (old, new) = (before[protection.rawValue], after[protection.rawValue])
      #expect(old?.name != new?.name && old?.wrapped != new?.wrapped, "\(protection)")
    }
    for opener in [Owner.passkey, Owner.recovery] { try Vault.open(home: home.path, with: opener, now: 8, kinds: .tests).close() }
    let last = try home.open()
    for protection in ProtectionClass.allCases { #expect(try read(last, protection) == [protection.rawValue]) }
    last.close()
  }

  @Test("Classes that were not opened for a rotation are named and rotated later")
  func whatNobodyShowedIsKeptAndNamedAndChangedLater() throws {
    let home = TemporaryHome()
    var vault = try filled(home)
    vault.close()
    let before = try rows(home)
    vault = try home.open()
    let kept: [ProtectionClass] = [
      .biometricAny, .biometricRequired, .biometricAnyThisDeviceOnly, .biometricRequiredThisDeviceOnly,
    ]
    var result = try vault.rotateClassKeys(provenBy: [Owner.passphrase()], now: 7)
    #expect(result.kept == kept)
    vault.close()
    let after = try rows(home)
    for protection in ProtectionClass.allCases {
      #expect((before[protection.rawValue]?.name == after[protection.rawValue]?.name) == kept.contains(protection))
    }
    vault = try home.open()
    for protection in ProtectionClass.allCases { #expect(try read(vault, protection) == [protection.rawValue]) }
    // A record of a class that was kept can be replaced and moved: it is found under its older name.
    let passkey = try vault.present(Owner.passkey, now: 8)
    try vault.transaction([.put(.itemValue, [4], try box([4, 4]), .biometricAny)], by: passkey)
    #expect(try vault.secret(kind: .itemValue, id: [4], by: passkey).array() == [4, 4])
    try vault.reclass(kind: .itemValue, id: [4], to: .whenUnlocked, by: passkey)
    #expect(try vault.secret(kind: .itemValue, id: [4]).array() == [4, 4])
    try vault.reclass(kind: .itemValue, id: [4], to: .biometricAny, by: passkey)
    try vault.transaction([.put(.itemValue, [4], try box([4]), .biometricAny)], by: passkey)
    result = try vault.rotateClassKeys(provenBy: [Owner.passphrase(), Owner.passkey], now: 9)
    #expect(result.kept.isEmpty)
    #expect(try vault.withOpen { $0.header.olderNames.isEmpty })
    vault.close()
    vault = try home.open()
    for protection in ProtectionClass.allCases { #expect(try read(vault, protection) == [protection.rawValue]) }
    vault.close()
  }

  @Test("A locked vault can be rotated and stays locked") func aLockedVaultIsRotatedAndStaysLocked() throws {
    let home = TemporaryHome()
    let vault = try filled(home)
    vault.lock()
    try vault.rotateClassKeys(provenBy: [Owner.passphrase()], now: 7)
    #expect(vault.isLocked)
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .itemValue, id: [2]) }
    try vault.unlock(passphrase: secret("open sesame"), now: 8)
    #expect(try vault.secret(kind: .itemValue, id: [2]).array() == [2])
    vault.close()
  }

  /// The keyring opens nothing but what a start needs: that is no proof for all the rest.
  @Test("A credential shown before the class keys changed is no longer valid") func anEarlierPresenceIsOver() throws {
    let home = TemporaryHome()
    let vault = try filled(home)
    let id = [ProtectionClass.devicePasscode.rawValue]
    let before = try vault.present(Owner.passphrase(), now: 6)
    _ = try vault.rotateClassKeys(provenBy: [Owner.passphrase()], now: 7)
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .itemValue, id: id, by: before) }
    let change = RecordChange.put(.itemValue, id, try box([1]), .devicePasscode)
    #expect(throws: VaultError.locked) { try vault.transaction([change], by: before) }
    #expect(try read(vault, .devicePasscode) == id)
    vault.close()
  }

  @Test("The keyring alone is not enough for a rotation") func theKeyringAloneDoesNotRotate() throws {
    let home = TemporaryHome()
    let vault = try filled(home)
    try vault.add(Owner.keyring)
    vault.lock()
    #expect(throws: KeyStoreError.vault(.notEntitled(.whenUnlocked))) {
      try vault.rotateClassKeys(provenBy: [Owner.keyring], now: 7)
    }
    #expect(throws: KeyStoreError.vault(.notEntitled(.whenUnlocked))) { try vault.rotateClassKeys(provenBy: [], now: 7) }
    vault.close()
  }

  /// How many rows open with class keys, of those that are sealed under their classes.
  private func rowsOpened(of vault: Vault, by keys: ClassKeys) throws -> Int {
    try vault.withOpen { open throws(VaultError) in
      let rows = try open.database.prepare("SELECT kind, name, class, version, wrapped, sealed FROM records")
      var count = 0
      while try rows.step() {
        guard let protection = ProtectionClass(rawValue: UInt8(rows.integer(2))), keys.has(protection) else { continue }
        let place = RecordPlace(
          vaultID: open.header.vaultID, kind: UInt16(rows.integer(0)), name: rows.bytes(1), protection: protection.rawValue,
          version: UInt64(rows.integer(3)))
        let record = SealedRecord(wrapped: rows.bytes(4), sealed: rows.bytes(5))
        if (try? record.plaintext(at: place, under: keys.key(protection))) != nil { count += 1 }
      }
      return count
    }
  }

  /// Whoever was shown a class key before has nothing from it: not the rows, not the slots, not the header.
  @Test("An old class key opens nothing after a rotation") func anOldClassKeyOpensNothingAfterwards() throws {
    let home = TemporaryHome()
    let vault = try filled(home)
    let old = try vault.withOpen { $0.keys }
    let header = try vault.withOpen { $0.header }
    let stale = try vault.present(Owner.passphrase(), now: 6)
    #expect(try rowsOpened(of: vault, by: old) > 4)
    try vault.rotateClassKeys(provenBy: [Owner.passphrase()], now: 7)
    #expect(try rowsOpened(of: vault, by: old) == 0)
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .itemValue, id: [3], by: stale) }
    let (new, code) = try vault.withOpen { ($0.header, $0.headerCode) }
    #expect(try old.mac(of: new.bytes, vaultID: new.vaultID) != code)
    for slot in new.slots {
      #expect(throws: VaultError.corrupt(what: "keyslot")) {
        try SlotAuthentication.open(slot, new.vaultID, old.slotSealingKey(vaultID: new.vaultID))
      }
    }
    // The slot that was shown has new keys: nobody can forge it with the earlier authentication key.
    #expect(new.slot(1)?.publicKey != header.slot(1)?.publicKey)
    #expect(new.slot(2)?.publicKey == header.slot(2)?.publicKey)
    vault.close()
  }
}
