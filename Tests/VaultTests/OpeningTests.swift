import Ciphers
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct OpeningTests {
  @Test("A new vault opens again with its passphrase") func aNewVaultOpensAgainWithItsPassphrase() throws {
    let home = TemporaryHome()
    #expect(!Vault.exists(home: home.path))
    let vault = try home.create()
    try vault.transaction([.put(.setting, [1], [2, 3])])
    vault.close()
    vault.close()
    #expect(Vault.exists(home: home.path))
    #expect(throws: VaultError.closed) { try vault.records(.setting) }
    let again = try home.open()
    #expect(try again.records(.setting) == [Record(id: [1], value: [2, 3])])
  }

  @Test("Only the owner can access the folder and its files") func folderAndFilesAreForTheOwnerOnly() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([.put(.setting, [1], [2])])
    #expect(try home.mode() == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: home.path) {
      #expect(try home.mode(name) == 0o600, "\(name)")
    }
  }

  @Test("A folder that others can read is refused") func aFolderOthersCanReadIsRefused() throws {
    let home = TemporaryHome()
    try home.create().close()
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: home.path)
    #expect(throws: VaultError.folderNotPrivate(mode: 0o750)) { try home.open() }
  }

  @Test("Creating a vault makes its folder private") func makingAVaultClosesItsFolderToOthers() throws {
    let home = TemporaryHome()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    try home.create().close()
    #expect(try home.mode() == 0o700)
  }

  @Test("Missing parent folders are made") func missingParentsAreMade() throws {
    let home = TemporaryHome()
    let path = home.path + "/a/b"
    try Vault.create(home: path, passphrase: secret("x"), cost: .floor, kinds: .tests).close()
    #expect(Vault.exists(home: path))
  }

  @Test("A new vault does not replace an existing one") func aSecondVaultIsNotMadeOverTheFirst() throws {
    let home = TemporaryHome()
    try home.create().close()
    let before = try home.bytes()
    #expect(throws: VaultError.exists) { try home.create("another") }
    #expect(try home.bytes() == before)
  }

  @Test("A leftover database log is not applied to a new vault") func aLogWithoutItsFileIsNotAppliedToANewVault() throws {
    let home = TemporaryHome()
    try home.create().close()
    try FileManager.default.moveItem(atPath: home.file, toPath: home.file + "-wal")
    #expect(throws: VaultError.corrupt(what: "a file beside vault.db")) { try home.create() }
  }

  @Test("The error names the process that has the vault open") func theHolderIsNamed() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    #expect(throws: VaultError.inUse(pid: getpid())) { try home.open() }
    #expect(throws: VaultError.inUse(pid: getpid())) { try home.create() }
    vault.close()
    try home.open().close()
  }

  @Test("A missing vault is reported as such") func noVaultIsSaidSo() throws {
    let home = TemporaryHome()
    #expect(throws: VaultError.noVault) { try home.open() }
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    #expect(throws: VaultError.noVault) { try home.open() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
  }

  @Test("Remains of a crashed creation do not block a new one") func whatACrashedCreationLeftIsNotInTheWay() throws {
    let home = TemporaryHome()
    try home.create().close()
    try home.write(Array("half a vault".utf8), to: "vault.db.new")
    try home.write([1], to: "vault.db.new-journal")
    try FileManager.default.removeItem(atPath: home.file)
    try home.create("second").close()
    try home.open("second").close()
    let left = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
    #expect(left == ["device.key", "device.key.kept-1", "lock", "vault.db"])
  }

  enum Place: CaseIterable { case databaseVersion, headerVersion }

  @Test("A vault of a newer version is refused and not changed", arguments: Place.allCases)
  func aNewerVersionIsRefusedUntouched(place: Place) throws {
    let home = TemporaryHome()
    try home.create().close()
    try home.edit { database in
      switch place {
      case .databaseVersion: try database.run("PRAGMA user_version = 7")
      case .headerVersion:
        try replaceHeader(in: database) { $0[11] = 7 }
      }
    }
    let before = try home.bytes()
    #expect(throws: VaultError.newerVersion(found: 7)) { try home.open() }
    #expect(try home.bytes() == before)
  }

  /// As a later program leaves it when it is killed: the version is in the write-ahead log only.
  @Test("A newer version that is only in the database log is refused and not changed")
  func aNewerVersionInTheLogIsRefusedUntouched() throws {
    let home = TemporaryHome()
    try home.create().close()
    do {
      let database = try Database(path: home.file)  // does not fold the log into the file at closing
      try database.run("PRAGMA user_version = 7")
    }
    let before = (try home.bytes(), try home.bytes(of: "vault.db-wal"))
    #expect(!before.1.isEmpty && before.0[63] == 3)
    #expect(throws: VaultError.newerVersion(found: 7)) { try home.open() }
    #expect(try home.bytes() == before.0 && home.bytes(of: "vault.db-wal") == before.1)
  }

  /// As a crash leaves it: everything since the last checkpoint is in the write-ahead log.
  @Test("Changes in a database log left by a crash are applied") func aLeftoverLogIsApplied() throws {
    let (home, copy) = (TemporaryHome(), TemporaryHome())
    let vault = try home.create()
    try vault.transaction([.put(.setting, [1], [2])])
    try FileManager.default.createDirectory(
      atPath: copy.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["vault.db", "vault.db-wal"] { try copy.write(home.bytes(of: name), to: name) }
    #expect(try copy.open().records(.setting) == [Record(id: [1], value: [2])])
    // Cut anywhere, the log gives an earlier state or the last one, never half of it.
    let log = try home.bytes(of: "vault.db-wal")
    for length in stride(from: 0, to: log.count, by: 3001) {
      try copy.write(home.bytes(), to: "vault.db")
      try copy.write(Array(log.prefix(length)), to: "vault.db-wal")
      let found = try copy.open().records(.setting)
      #expect(found.isEmpty || found == [Record(id: [1], value: [2])], "\(length)")
    }
    vault.close()
  }

  @Test("The memory that the passphrase function used is released") func theMemoryOfThePassphraseFunctionIsGivenBack() throws {
    let home = TemporaryHome()
    let cost = try Argon2id.Cost(memory: 128 << 20, passes: 2)
    try Vault.create(home: home.path, passphrase: secret("x"), cost: cost, kinds: .tests).close()
    let before = residentBytes()
    let vault = try home.open("x")
    let after = residentBytes()
    vault.close()
    #expect(after - before < 32 << 20, "\(before) → \(after)")
  }
}

/// Resident memory of this process, in bytes.
func residentBytes() -> Int {
  let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
}

/// Changes the header's bytes and makes its plain checksum right again.
func replaceHeader(in database: Database, _ change: (inout [UInt8]) -> Void) throws {
  let row = try database.prepare("SELECT body FROM header")
  #expect(try row.step())
  var body = row.bytes(0)
  row.reset()
  change(&body)
  let update = try database.prepare("UPDATE header SET body = ?, digest = ?")
  try update.bind(1, body)
  try update.bind(2, SHA256.digest(of: body).array)
  _ = try update.step()
}
