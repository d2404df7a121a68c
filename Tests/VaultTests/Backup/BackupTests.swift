import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct BackupTests {
  @Test("A backup opens with the passphrase and says what it contains")
  func aBackupSaysWhatIsInItAndOpensWithThePassphrase() throws {
    let backup = try BackedUp()
    var taken: [RecordKind: [[UInt8]]] = [:]
    let found = try backup.opened().examine(
      knowing: .tests,
      taking: { kind, record in
        taken[kind, default: []].append(record.value)
        return true
      })
    #expect(found.summary.madeAt == 5_000 && found.summary.number == 3 && found.summary.leftOut == 0)
    #expect(taken[.identity] == [Array("alice".utf8)] && found.sealed.isEmpty)
    #expect(taken[.pairing] == [Array("an app".utf8)] && taken[.pairingKey] == nil)
    #expect(UInt64(found.opened) == found.summary.records)
  }

  @Test("A record that its module cannot read is named, and so is its place")
  func aRecordOfNoMeaningIsDamage() throws {
    let backup = try BackedUp()
    #expect(throws: BackupError.recordDamaged(kind: "identity", row: 0)) {
      _ = try backup.opened().examine(knowing: .tests, taking: { kind, _ in kind != .identity })
    }
  }

  @Test("Records of kinds that the program does not know are kept and not opened")
  func unknownKinds() throws {
    let backup = try BackedUp()
    let found = try backup.opened().examine()
    #expect(found.sealed.values.reduce(0, +) == 6 && UInt64(found.opened + 6) == found.summary.records)
    let target = TemporaryHome()
    try Restoration(of: backup.opened(), into: target.path).commit()
    let restored = try target.open()
    #expect(try restored.records(.pairing).map(\.value) == [Array("an app".utf8)])
    restored.close()
  }

  @Test("A record that is bound to this device is left out of backups, and the backup says so")
  func whatStaysHereIsLeftOut() throws {
    let backup = try BackedUp()
    let vault = try backup.home.open()
    try vault.transaction([
      .put(.itemValue, [1], try box([7]), .whenUnlockedThisDeviceOnly), .put(.itemValue, [2], try box([8]), .whenUnlocked),
    ])
    let file = backup.place.path + "/two.hfb"
    let made = try vault.writeBackup(to: file, number: 4, now: 6_000)
    vault.close()
    #expect(made.leftOut == 1)
    let target = TemporaryHome()
    try Restoration(of: BackupFile(path: file).open(passphrase: secret("open sesame")), into: target.path, kinds: .tests)
      .commit()
    let restored = try target.open()
    #expect(try restored.ids(.itemValue) == [[2]])
    restored.close()
  }

  /// 0 to 200,000 bytes: the contents end inside a piece, at its end, and just behind it.
  @Test("A restored vault holds what the old one held", arguments: [0, 1, 60_000, 65_536, 131_072, 200_000])
  func aRestoredVaultHoldsWhatTheOldOneHeld(large: Int) throws {
    let backup = try BackedUp(large: large)
    let target = TemporaryHome()
    let restoration = try Restoration(of: backup.opened(), into: target.path, kinds: .tests)
    #expect(!Vault.exists(home: target.path))
    try restoration.commit()
    let (old, new) = (try backup.home.open(), try target.open())
    for kind in RecordKinds.tests.all where kind != .summary {
      #expect(try old.ids(kind) == new.ids(kind))
      for id in try old.ids(kind) {
        #expect(try old.secret(kind: kind, id: id).array() == new.secret(kind: kind, id: id).array())
      }
    }
    #expect(try new.examine().isSound)
    #expect(try target.mode() == 0o700 && target.mode("vault.db") == 0o600)
  }

  /// Every length around the border of a piece.
  @Test("Contents of any length are read back as they were written") func everyLengthAroundAPieceIsReadBack() throws {
    let key = try box([UInt8](repeating: 4, count: 32))
    for length in [1, 2, Piece.length - 1, Piece.length, Piece.length + 1, 2 * Piece.length, 2 * Piece.length + 7] {
      let place = TemporaryHome()
      try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
      let contents = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let file = try NewFile(at: place.path + "/x")
      var writer = PieceWriter(file, under: key)
      for start in stride(from: 0, to: length, by: 1000) { try writer.write(Array(contents[start..<min(start + 1000, length)])) }
      try writer.finish()
      try file.finish()
      #expect(UInt64(try place.bytes(of: "x").count) == Piece.sealedLength(of: UInt64(length)))
      var reader = PieceReader(try BackupSource(path: place.path + "/x"), length: UInt64(length), under: key)
      #expect(try reader.take(length) == contents)
      #expect(try reader.isAtEnd())
      #expect(try reader.take(1) == nil)
    }
  }

  @Test("A backup can be made while the session is locked") func aBackupIsMadeWhileTheSessionIsLocked() throws {
    let backup = try BackedUp()
    let vault = try backup.home.open()
    vault.lock()
    let file = backup.place.path + "/two.hfb"
    try vault.writeBackup(to: file, number: 4, now: 6_000)
    let found = try BackupFile(path: file).open(passphrase: secret("open sesame")).examine(knowing: .tests)
    #expect(found.summary.number == 4 && found.sealed.isEmpty)
    // With the keys of the locked vault the keys of identities stay shut, and are counted.
    let seen = try BackupFile(path: file).open(as: vault).examine(knowing: .tests)
    #expect(seen.sealed == [.whenUnlocked: 2])
  }

  @Test("A backup never overwrites a file") func aBackupNeverTakesThePlaceOfAFile() throws {
    let backup = try BackedUp()
    let before = try backup.bytes()
    let vault = try backup.home.open()
    #expect(throws: BackupError.exists) { try vault.writeBackup(to: backup.file, number: 4, now: 1) }
    #expect(try backup.bytes() == before)
    #expect(try backup.place.mode("one.hfb") == 0o600)
  }

  @Test("A cancelled backup leaves no file") func whatWasCancelledLeavesNoFile() throws {
    let backup = try BackedUp()
    let vault = try backup.home.open()
    let file = backup.place.path + "/two.hfb"
    #expect(throws: BackupError.cancelled) {
      try vault.writeBackup(to: file, number: 4, now: 1) { done, of in done * 2 < of }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup.place.path) == ["one.hfb"])
  }

  @Test("A backup file shows no names of records") func namesAndKindsDoNotShowInTheFile() throws {
    let backup = try BackedUp()
    let vault = try backup.home.open()
    let name = Array("a name nobody may read".utf8)
    try vault.transaction([.put(.setting, name, name)])
    let file = backup.place.path + "/two.hfb"
    try vault.writeBackup(to: file, number: 4, now: 1)
    let bytes = try backup.place.bytes(of: "two.hfb")
    #expect(bytes.firstRange(of: name) == nil)
    // Not even the sealed rows: the vault's own file does not help to recognise them.
    let row = try vault.withOpen { open throws(VaultError) in try open.keys.rowName(.setting, name, .afterFirstUnlock) }
    #expect(bytes.firstRange(of: row) == nil)
  }
}
