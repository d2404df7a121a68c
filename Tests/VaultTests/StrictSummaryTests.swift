import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// Somebody who can write the file and has what the keyring opens: every key of the class afterFirstUnlock.
@Suite struct StrictSummaryTests {
  private static let key: [UInt8] = [1]

  /// A row as it stood.
  private struct Row {
    let place: RecordPlace
    let sealed: SealedRecord
  }

  private func filledHome() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.keyring)
    try vault.transaction([.put(.identityKey, Self.key, try box([7]), .whenUnlocked)])
    vault.close()
    return home
  }

  /// What the keyring opens.
  private func keyringsKeys(_ home: TemporaryHome) throws -> (VaultHeader, ClassKeys) {
    let vault = try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests)
    defer { vault.close() }
    return try vault.withOpen { ($0.header, $0.keys) }
  }

  private func row(_ home: TemporaryHome) throws -> Row {
    let (header, keys) = try keyringsKeys(home)
    var found: Row?
    try home.edit { database in
      let name = try keys.rowName(.identityKey, Self.key, .afterFirstUnlock)
      let row = try database.prepare("SELECT class, version, wrapped, sealed FROM records WHERE kind = 2 AND name = ?")
      try row.bind(1, name)
      guard try row.step() else { throw VaultError.notFound }
      found = Row(
        place: RecordPlace(
          vaultID: header.vaultID, kind: 2, name: name, protection: UInt8(row.integer(0)), version: UInt64(row.integer(1))),
        sealed: SealedRecord(wrapped: row.bytes(2), sealed: row.bytes(3)))
    }
    guard let found else { throw VaultError.notFound }
    return found
  }

  /// Puts a row back and makes the first summary anew, as nobody but who has the class key can.
  private func putBack(_ row: Row?, _ home: TemporaryHome, _ further: (Database) throws -> Void = { _ in }) throws {
    let (header, keys) = try keyringsKeys(home)
    try home.edit { database in
      let table = RecordTable(database, header.vaultID, keys, .tests)
      if let row { try table.insert(row.place, row.sealed) }
      try further(database)
      let stored = try table.summary(hasRevision: true)
      let summary = VaultSummary(
        generation: stored.generation, revision: stored.revision.map { $0 + 1 }, inventory: try table.inventory())
      try table.putSummary(summary, after: nil)
    }
  }

  private func expectRefused(_ home: TemporaryHome, _ what: StaticString = "identity key") throws {
    #expect(throws: VaultError.corrupt(what: what)) { try home.open() }
    let vault = try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests)
    #expect(throws: KeyStoreError.corrupt(what)) { try vault.unlock(with: Owner.passphrase(), now: 2_000_000) }
    #expect(vault.isLocked, "found before any key was there")
    vault.close()
    let found = try Vault.examine(home: home.path, passphrase: secret("open sesame"), now: 3_000_000, kinds: .tests)
    #expect(found.changedKind == "\(what)")
  }

  @Test("With the keyring alone, nobody can restore an older key") func olderRow() throws {
    let home = try filledHome()
    let older = try row(home)
    let vault = try home.open()
    try vault.transaction([.put(.identityKey, Self.key, try box([8]), .whenUnlocked)])
    vault.close()
    try putBack(older, home)
    try expectRefused(home)
  }

  @Test("With the keyring alone, nobody can move a key to a weaker class") func weakerClass() throws {
    let home = try filledHome()
    let older = try row(home)
    let vault = try home.open()
    let presence = try vault.present(Owner.passphrase(), now: 1_000_001)
    try vault.reclass(kind: .identityKey, id: Self.key, to: .devicePasscode, by: presence)
    vault.close()
    #expect(try row(home).place.protection == ProtectionClass.devicePasscode.rawValue)
    try putBack(older, home)
    try expectRefused(home)
  }

  @Test("With the keyring alone, nobody can restore all keys of one kind together with their old checksum")
  func olderSum() throws {
    let home = try filledHome()
    let (older, sums) = (try row(home), try sums(home))
    let vault = try home.open()
    try vault.transaction([
      .put(.identityKey, Self.key, try box([8]), .whenUnlocked), .put(.itemValue, [2], try box([9]), .whenUnlocked),
    ])
    vault.close()
    // Kind (2) and sum (32) of the older key, and all that follows it now: these sums fit the rows, and their code does not.
    let mixed = sums.prefix(34) + (try self.sums(home)).dropFirst(34)
    let (header, keys) = try keyringsKeys(home)
    try putBack(older, home) { database in
      var none = Inventory()
      try RecordTable(database, header.vaultID, keys, .tests)
        .put(.summary, StrictInventory.sumsID, .bytes(Array(mixed)), .afterFirstUnlock, &none)
    }
    try expectRefused(home, "summary")
  }

  /// The second summary as it stands: the sums by rising kind, that of identity keys first, and their code.
  private func sums(_ home: TemporaryHome) throws -> [UInt8] {
    let (header, keys) = try keyringsKeys(home)
    var found: [UInt8]?
    try home.edit { found = try RecordTable($0, header.vaultID, keys, .tests).value(.summary, StrictInventory.sumsID) }
    guard let found, found.prefix(2) == [0, 2] else { throw VaultError.notFound }
    return found
  }

  @Test("With the keyring alone, nobody can remove a key unnoticed") func removals() throws {
    let home = try filledHome()
    try remove(.identityKey, Self.key, home)
    try expectRefused(home)
  }

  @Test("With the keyring alone, nobody can remove the strict summary") func removedSummary() throws {
    let home = try filledHome()
    try remove(.summary, StrictInventory.sumsID, home)
    for opener in [Owner.keyring as any SlotOpener, try Owner.passphrase()] {
      #expect(throws: KeyStoreError.corrupt("summary")) {
        try Vault.open(home: home.path, with: opener, now: 4_000_000, kinds: .tests).close()
      }
    }
  }

  private func remove(_ kind: RecordKind, _ id: [UInt8], _ home: TemporaryHome) throws {
    let (_, keys) = try keyringsKeys(home)
    try putBack(nil, home) { database in
      let row = try database.prepare("DELETE FROM records WHERE kind = ? AND name = ?")
      try row.bind(1, Int64(kind.rawValue))
      try row.bind(2, try keys.rowName(kind, id, .afterFirstUnlock))
      _ = try row.step()
    }
  }

  @Test("A vault cannot pretend to be of a version without the strict summary") func olderVersion() throws {
    let home = try filledHome()
    let (_, keys) = try keyringsKeys(home)
    try home.edit { database in
      guard case .two(var header) = try HeaderTable.read(from: database).header else { throw VaultError.noVault }
      header.version = 2
      let table = RecordTable(database, header.vaultID, keys, .tests)
      try HeaderTable.write(header, keys, revision: 1, try table.inventory(), to: database)
    }
    try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests).close()
    #expect(throws: VaultError.corrupt(what: "keyslot")) { try home.open() }
  }

  @Test(
    "A key deleted while the session is locked is removed from the strict summary at the next unlock", arguments: [false, true])
  func removedWhileLocked(isClosed: Bool) throws {
    let home = try filledHome()
    let older = try row(home)
    var vault = try home.open()
    vault.lock()
    try vault.transaction([.delete(kind: .identityKey, id: Self.key)])
    if isClosed {
      vault.close()
      vault = try home.open()
    } else {
      try vault.unlock(with: Owner.passphrase(), now: 2_000_000)
    }
    #expect(throws: VaultError.notFound) { _ = try vault.secret(kind: .identityKey, id: Self.key) }
    try vault.transaction([.put(.identityKey, [2], try box([9]), .whenUnlocked)])
    vault.close()
    try home.open().close()
    try putBack(older, home)
    try expectRefused(home)
  }

  @Test("A key deleted while locked does not return before the next unlock") func putBackWhileLocked() throws {
    let home = try filledHome()
    let older = try row(home)
    let vault = try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests)
    try vault.transaction([.delete(kind: .identityKey, id: Self.key)])
    vault.close()
    try putBack(older, home)
    try expectRefused(home)
  }

  @Test("A key that needs presence can be stored while the session is locked") func presenceWhileLocked() throws {
    let home = try filledHome()
    let vault = try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests)
    let presence = try vault.present(Owner.passphrase(), now: 2)
    try vault.transaction([.put(.itemValue, [5], try box([5]), .devicePasscode)], by: presence)
    #expect(vault.isLocked)
    vault.close()
    try home.open().close()
  }

  @Test("A version 2 vault opens without alarm and gets its strict summary once more than the keyring is shown") func upgrade()
    throws
  {
    let home = try filledHome()
    try home.downgrade()
    try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests).close()
    #expect(try home.version() == 2)
    let vault = try Vault.open(home: home.path, with: Owner.keyring, now: 1, kinds: .tests)
    #expect(vault.mark == nil && vault.foundMark == nil)
    try vault.unlock(with: Owner.passphrase(), now: 2)
    #expect(try vault.secret(kind: .identityKey, id: Self.key).array() == [7] && vault.mark != nil)
    vault.close()
    #expect(try home.version() == 3)
    try home.downgrade()
    try home.open().close()
    #expect(try home.version() == 3)
    let older = try row(home)
    let again = try home.open()
    #expect(again.foundMark != nil)
    try again.transaction([.put(.identityKey, Self.key, try box([8]), .whenUnlocked)])
    again.close()
    try putBack(older, home)
    try expectRefused(home)
  }

  @Test("Every change raises the revision, and opening the vault does not") func revisions() throws {
    let home = try filledHome()
    let vault = try home.open()
    let before = try unwrapped(vault.mark)
    try vault.transaction([.put(.setting, [1], [1])])
    let after = try unwrapped(vault.mark)
    #expect(after.revision == before.revision + 1 && after.digest != before.digest)
    #expect(throws: VaultError.self) { try vault.transaction([.put(.identityKey, [1], [1])]) }  // no plain bytes there
    #expect(vault.mark == after)
    try vault.raiseRevision(above: 500)
    #expect(vault.mark?.revision == 501)
    let last = vault.mark
    vault.close()
    for _ in 0..<3 {
      let again = try home.open()
      #expect(again.foundMark == last && again.mark == last)
      again.close()
    }
  }

  private func unwrapped(_ mark: Vault.Mark?) throws -> Vault.Mark {
    guard let mark else { throw VaultError.notFound }
    return mark
  }
}

extension TemporaryHome {
  /// The format version of the file.
  func version() throws -> UInt32 {
    var version: UInt32 = 0
    try edit { version = try VaultFile.version(of: $0) }
    return version
  }

  /// Writes the vault as version 2 did: no revision, no strict summary, the guard codes of then.
  func downgrade() throws {
    let vault = try open()
    let (whole, keys) = try vault.withOpen { ($0.header, $0.keys) }
    vault.close()
    try edit { database in
      var header = whole
      header.version = 2
      let sealing = try keys.guardSealingKey(vaultID: header.vaultID)
      for index in header.slots.indices where header.slots[index].isGuarded {
        let key = try SlotGuard.open(header.slots[index], header.vaultID, sealing)
        header.slots[index].guardCodes = SlotGuard.codes(header.slots[index], header.vaultID, key, version: 2)
      }
      let table = RecordTable(database, header.vaultID, keys, .tests)
      var none = Inventory()
      for id in [StrictInventory.sumsID, StrictInventory.removedID] { try table.delete(.summary, id, &none) }
      try HeaderTable.write(header, keys, revision: 1, try table.inventory(), to: database)
    }
  }
}
