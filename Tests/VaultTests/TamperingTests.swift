import Ciphers
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct TamperingTests {
  /// Two settings and two secret keys, closed.
  private func filledHome() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([
      .put(.setting, [1], [1, 1, 1]), .put(.setting, [2], [2, 2, 2]),
      .put(.pairingKey, [1], try box([5, 5]), .afterFirstUnlock), .put(.pairingKey, [2], try box([6, 6]), .afterFirstUnlock),
    ])
    vault.close()
    return home
  }

  private func readAll(_ home: TemporaryHome) throws {
    let vault = try home.open()
    defer { vault.close() }
    _ = try vault.records(.setting)
    for id in try vault.ids(.pairingKey) { _ = try vault.secret(kind: .pairingKey, id: id) }
    _ = try vault.records(.pairing)
  }

  @Test("Checking a damaged vault names every damaged record and counts the others")
  func checkingADamagedVaultNamesEveryDamagedRecordAndCountsTheRest() throws {
    let home = try filledHome()
    let sound = try Vault.examine(home: home.path, passphrase: secret("open sesame"), now: 1, kinds: .tests)
    #expect(sound.isSound && sound.records == 5 && sound.costs.count == 1)
    try home.edit {
      try $0.run("UPDATE records SET sealed = x'00' WHERE kind = 9 AND name = (SELECT min(name) FROM records WHERE kind = 9)")
    }
    try home.edit { try $0.run("UPDATE records SET version = 7 WHERE kind = 5") }
    let found = try Vault.examine(home: home.path, passphrase: secret("open sesame"), now: 1, kinds: .tests)
    #expect(found.records == 5 && found.damaged.map(\.kind).sorted() == ["pairing key", "pairing key", "setting"])
    #expect(found.damaged.allSatisfy { $0.row.count == 8 } && !found.isSound)
  }

  @Test("Checking a vault finds a missing row") func checkingAVaultFindsAMissingRow() throws {
    let home = try filledHome()
    try home.edit { try $0.run("DELETE FROM records WHERE kind = 9") }
    let found = try Vault.examine(home: home.path, passphrase: secret("open sesame"), now: 1, kinds: .tests)
    #expect(found.damaged.isEmpty && found.changedKind == "setting")
  }

  @Test("Checking a vault counts as an attempt at its passphrase") func checkingAVaultIsAnAttemptAtItsPassphrase() throws {
    let home = try filledHome()
    for _ in 0..<3 {
      #expect(throws: VaultError.self) {
        _ = try Vault.examine(home: home.path, passphrase: secret("wrong"), now: 1, kinds: .tests)
      }
    }
    #expect(throws: VaultError.throttled(waitSeconds: 1)) {
      _ = try Vault.examine(home: home.path, passphrase: secret("open sesame"), now: 1, kinds: .tests)
    }
  }

  @Test(
    "Changed rows are named in the error",
    arguments: [
      (
        "UPDATE records SET sealed = (SELECT sealed FROM records r WHERE r.kind = 9 AND r.name > records.name) WHERE kind = 9 AND name = (SELECT min(name) FROM records WHERE kind = 9)",
        "setting"
      ),
      (
        "UPDATE records SET wrapped = (SELECT wrapped FROM records r WHERE r.kind = 9 ORDER BY name DESC LIMIT 1), sealed = (SELECT sealed FROM records r WHERE r.kind = 9 ORDER BY name DESC LIMIT 1) WHERE kind = 9 AND name = (SELECT min(name) FROM records WHERE kind = 9)",
        "setting"
      ),
      ("UPDATE records SET name = randomblob(32) WHERE kind = 9", "setting"),
      ("UPDATE records SET name = CAST(name AS TEXT) WHERE kind = 9", "setting"),
      ("UPDATE records SET sealed = CAST(sealed AS TEXT) WHERE kind = 5", "pairing key"),
      ("UPDATE records SET kind = 4 WHERE kind = 9", "pairing"),
      ("UPDATE records SET kind = 9 WHERE kind = 5", "pairing key"),
      ("UPDATE records SET class = 2 WHERE kind = 9", "setting"),
      ("UPDATE records SET class = 3 WHERE kind = 9", "setting"),
      ("UPDATE records SET class = -1 WHERE kind = 5", "pairing key"),
      ("UPDATE records SET version = 2 WHERE kind = 5", "pairing key"),
      ("UPDATE records SET sealed = x'' WHERE kind = 5", "pairing key"),
      ("UPDATE records SET wrapped = 'text' WHERE kind = 9", "setting"),
      ("UPDATE records SET sealed = wrapped WHERE kind = 9", "setting"),
      ("UPDATE records SET wrapped = wrapped || x'00' WHERE kind = 9", "setting"),
      ("UPDATE records SET sealed = sealed || x'00' WHERE kind = 9", "setting"),
      ("DELETE FROM records WHERE kind = 0", "summary"),
      ("DELETE FROM records WHERE kind = 9", "setting"),
      ("DELETE FROM records WHERE kind = 5 AND name = (SELECT max(name) FROM records WHERE kind = 5)", "pairing key"),
      ("UPDATE header SET digest = randomblob(32)", "header"),
      ("UPDATE header SET mac = randomblob(32)", "header"),
      ("UPDATE header SET mac = x'00'", "header"),
      ("DELETE FROM header", "header"),
      ("DELETE FROM attempts", "attempts"),
      ("DROP TABLE records", "the vault file"),
      ("DROP TABLE header", "the vault file"),
    ] as [(StaticString, StaticString)])
  func editedRowsAreNamed(sql: StaticString, what: StaticString) throws {
    let home = try filledHome()
    try home.edit { try $0.run(sql) }
    #expect(throws: VaultError.corrupt(what: what)) { try readAll(home) }
  }

  @Test("A changed byte in a record is always detected") func everyFlippedByteOfARecordIsFound() throws {
    let home = try filledHome()
    let vault = try home.open()
    vault.close()
    let database = try Database(path: home.file)
    let rows = try database.prepare("SELECT name, wrapped, sealed FROM records WHERE kind = 9 LIMIT 1")
    #expect(try rows.step())
    let (name, wrapped, sealed) = (rows.bytes(0), rows.bytes(1), rows.bytes(2))
    rows.reset()
    // Opened once: the key function is slow, the rows are not.
    let stored = try HeaderTable.read(from: database)
    let opener = try PassphraseOpener(copying: secret("open sesame"))
    var (_, keys) = try Vault.prove(
      opener, stored, Attempt(at: .passphrase, in: database, now: 1), in: database, now: 1)
    _ = try HeaderTable.check(stored, &keys, .tests, in: database)
    let place = RecordPlace(
      vaultID: stored.header.vaultID, kind: RecordKind.setting, name: name, protection: 1, version: 1)
    let key = try keys.key(.afterFirstUnlock)
    _ = try SealedRecord(wrapped: wrapped, sealed: sealed).open(at: place, under: key)
    for index in 0..<wrapped.count + sealed.count {
      var (wrapped, sealed) = (wrapped, sealed)
      if index < wrapped.count { wrapped[index] ^= 1 } else { sealed[index - wrapped.count] ^= 1 }
      #expect(throws: VaultError.corrupt(what: "setting"), "byte \(index)") {
        try SealedRecord(wrapped: wrapped, sealed: sealed).open(at: place, under: key)
      }
      #expect(throws: VaultError.corrupt(what: "setting"), "byte \(index)") {
        try SealedRecord(wrapped: wrapped, sealed: sealed).openSecret(at: place, under: key)
      }
    }
  }

  @Test("A changed byte in the header is always detected") func everyFlippedByteOfTheHeaderIsFound() throws {
    let home = try filledHome()
    let database = try Database(path: home.file)
    let row = try database.prepare("SELECT body FROM header")
    #expect(try row.step())
    let body = row.bytes(0)
    row.reset()
    for index in body.indices {
      // As damage: the checksum tells, before any key is made.
      let flip = try database.prepare("UPDATE header SET body = ?")
      var changed = body
      changed[index] ^= 0x40
      try flip.bind(1, changed)
      _ = try flip.step()
      #expect(throws: VaultError.corrupt(what: "header"), "byte \(index)") { try HeaderTable.read(from: database) }
    }
  }

  /// With the checksum made right: no changed header opens, and what it asks for is not done.
  @Test(
    "A forged header with a correct checksum does not open",
    arguments: [
      (8, "version"), (12, "vault id"), (28, "generation"), (36, "device tag"), (68, "number of older names"),
      (69, "slot count"), (70, "slot id"), (74, "slot type"), (75, "slot generation"), (83, "parameters length"), (92, "memory"),
      (97, "salt"), (113, "commitment"), (145, "public key"), (177, "authentication"), (249, "wrap count"), (250, "class"),
      (251, "ephemeral"), (283, "wrap"), (364, "second wrap"), (898, "code"), (930, "guard key"), (1002, "guard code"),
      (1034, "guard code of this device"),
    ])
  func aForgedHeaderDoesNotOpen(index: Int, field: String) throws {
    let home = try filledHome()
    try home.edit { database in try replaceHeader(in: database) { $0[index] ^= 1 } }
    #expect(throws: VaultError.self, "\(field)") { try home.open() }
  }

  @Test("A class that was removed from the header is detected") func aClassLeftOutOfTheHeaderIsFound() throws {
    let home = try filledHome()
    try home.edit { database in
      try replaceHeader(in: database) { body in
        body.removeSubrange(331..<412)  // the second wrap
        body[249] -= 1  // and their number
      }
    }
    #expect(throws: VaultError.corrupt(what: "keyslot")) { try home.open() }
  }

  private static let badCosts: [(UInt64, UInt32)] = [
    (1 << 40, 2), (.max, 2), (1 << 20, 2), (0, 2), (64 << 20, 1_000_000), (64 << 20, 1), (64 << 20, 0),
  ]

  @Test("A cost outside of the limits is refused before memory is used", arguments: badCosts)
  func aCostOutsideTheLimitsIsRefusedBeforeMemoryIsTaken(memory: UInt64, passes: UInt32) throws {
    let home = try filledHome()
    try home.edit { database in
      try replaceHeader(in: database) { body in
        var cost: [UInt8] = []
        cost.append(bigEndian: memory)
        cost.append(bigEndian: passes)
        body.replaceSubrange(85..<97, with: cost)
      }
    }
    #expect(throws: VaultError.costOutOfRange) { try home.open() }
    // It was no attempt at the passphrase.
    try home.edit { database in
      let attempts = try AttemptTable.begin(in: database, now: 0)
      #expect(attempts.failures == 0)
    }
  }

  @Test("An older row that was put back is detected") func anOldRowPutBackIsFound() throws {
    let home = try filledHome()
    var old: [(name: [UInt8], version: Int64, wrapped: [UInt8], sealed: [UInt8])] = []
    try home.edit { database in
      let row = try database.prepare("SELECT name, version, wrapped, sealed FROM records WHERE kind = 9")
      while try row.step() { old.append((row.bytes(0), row.integer(1), row.bytes(2), row.bytes(3))) }
    }
    let vault = try home.open()
    try vault.transaction([.put(.setting, [1], [9]), .delete(kind: .setting, id: [2])])
    try vault.transaction([.put(.setting, [2], [9])])
    vault.close()
    try readAll(home)
    try home.edit { database in
      for row in old {
        let put = try database.prepare("INSERT OR REPLACE INTO records VALUES (9, ?, 1, ?, ?, ?)")
        try put.bind(1, row.name)
        try put.bind(2, row.version)
        try put.bind(3, row.wrapped)
        try put.bind(4, row.sealed)
        _ = try put.step()
      }
    }
    #expect(throws: VaultError.corrupt(what: "setting")) { try home.open() }
  }

  @Test("An older header that was put back is detected") func anOldHeaderPutBackIsFound() throws {
    let home = try filledHome()
    var (body, digest, mac): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    try home.edit { database in
      let old = try database.prepare("SELECT body, digest, mac FROM header")
      #expect(try old.step())
      (body, digest, mac) = (old.bytes(0), old.bytes(1), old.bytes(2))
    }
    let vault = try home.open()
    try vault.changePassphrase(
      shown: PassphraseOpener(copying: secret("open sesame")), to: .passphrase(secret("new"), cost: .floor), now: 2)
    vault.close()
    try home.open("new").close()
    try home.edit { database in
      let back = try database.prepare("UPDATE header SET body = ?, digest = ?, mac = ?")
      try back.bind(1, body)
      try back.bind(2, digest)
      try back.bind(3, mac)
      _ = try back.step()
    }
    #expect(throws: VaultError.corrupt(what: "generation")) { try home.open() }
  }

  enum Damage: CaseIterable { case empty, oneByte, cutInHalf, cutToOnePage, cutOneByte, otherMagic, zeroes, otherProgram, text }

  @Test("A damaged file is reported and not overwritten", arguments: Damage.allCases)
  func aDamagedFileIsNamedAndNotOverwritten(damage: Damage) throws {
    let home = try filledHome()
    var bytes = try home.bytes()
    switch damage {
    case .empty: bytes = []
    case .oneByte: bytes = [0x53]
    case .cutInHalf: bytes = Array(bytes.prefix(bytes.count / 2))
    case .cutToOnePage: bytes = Array(bytes.prefix(4096))
    case .cutOneByte: bytes.removeLast()
    case .otherMagic: bytes[3] ^= 1
    case .zeroes: for index in 100..<bytes.count { bytes[index] = 0 }
    case .otherProgram: bytes[68] ^= 1
    case .text: bytes = Array("This is no vault. ".utf8) + bytes
    }
    try home.write(bytes)
    #expect(throws: VaultError.corrupt(what: "the vault file")) { try home.open() }
    #expect(try home.bytes() == bytes)
    #expect(throws: VaultError.exists) { try home.create() }
    #expect(try home.bytes() == bytes)
  }

  /// Seed 7: whichever byte of the file is changed, reading gives an error or exactly what was written.
  @Test("No changed byte of the file gives other data") func noChangedByteGivesOtherData() throws {
    let home = try filledHome()
    let original = try home.bytes()
    var random = Repeatable(seed: 7)
    for _ in 0..<40 {
      var bytes = original
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] ^= UInt8.random(in: 1...255, using: &random)
      try home.write(bytes)
      do {
        let vault = try home.open()
        defer { vault.close() }
        #expect(
          try vault.records(.setting) == [Record(id: [1], value: [1, 1, 1]), Record(id: [2], value: [2, 2, 2])], "byte \(index)")
        #expect(try vault.secret(kind: .pairingKey, id: [1]).array() == [5, 5], "byte \(index)")
      } catch { #expect(error is VaultError, "byte \(index)") }
    }
  }
}
