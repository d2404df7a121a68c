import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct BackupFaultTests {
  /// Bytes in front of the pieces.
  private func beginning(_ backup: BackedUp) throws -> Int { try BackupFile(path: backup.file).header.bytes.count + 56 + 32 }

  @Test("A changed byte anywhere in a backup is reported") func everyFlippedByteIsANamedFault() throws {
    let backup = try BackedUp()
    let whole = try backup.bytes()
    let beginning = try beginning(backup)
    for index in whole.indices where index < beginning || index % 7 == 0 {
      var bytes = whole
      bytes[index] ^= 1 << (index % 8)
      try backup.write(bytes)
      // A slot's own bytes cost a passphrase function each: a few of them stand for all.
      guard index < 56 || index >= beginning - 32 || index % 5 == 0 else { continue }
      let fault = backup.fault()
      switch fault {
      case .notABackup?: #expect(index < 8)
      case .newerVersion?: #expect((8..<12).contains(index) || (64..<68).contains(index))  // the file's, the header's
      case .headerDamaged?, .headerNotAuthentic?, .cut?, .goesOn?, .opener?, .vault?: #expect(index < beginning)
      case .pieceDamaged(index: 0)?: #expect(index >= beginning)
      default: Issue.record("byte \(index): \(String(describing: fault))")
      }
    }
  }

  @Test("A backup that is cut off anywhere is reported") func everyCutIsNamed() throws {
    let backup = try BackedUp(large: 100_000)
    let whole = try backup.bytes()
    for length in Array(0..<200) + stride(from: 200, to: whole.count, by: 997) + [whole.count - 1] {
      try backup.write(Array(whole.prefix(length)))
      guard case .cut(let missing)? = backup.fault() else {
        #expect(length < 8 && backup.fault() == .notABackup, "\(length)")
        continue
      }
      #expect(missing > 0 && missing <= UInt64(whole.count - length))
    }
  }

  @Test("Bytes after the end of a backup are reported") func whatFollowsTheEndIsNamed() throws {
    let backup = try BackedUp()
    try backup.write(backup.bytes() + [0])
    #expect(backup.fault() == .goesOn)
  }

  @Test("A backup with moved, repeated or missing pieces does not open")
  func piecesThatAreMovedRepeatedOrLeftOutDoNotOpen() throws {
    let backup = try BackedUp(large: 300_000)
    let whole = try backup.bytes()
    let start = try beginning(backup)
    func piece(_ number: Int) -> [UInt8] {
      Array(whole[(start + number * Piece.sealedLength)...].prefix(Piece.sealedLength))
    }
    let head = Array(whole[..<start])
    let tail = Array(whole[(start + 3 * Piece.sealedLength)...])
    try backup.write(head + piece(1) + piece(0) + piece(2) + tail)
    #expect(backup.fault() == .pieceDamaged(index: 0))
    try backup.write(head + piece(0) + piece(0) + piece(2) + tail)
    #expect(backup.fault() == .pieceDamaged(index: 1))
    try backup.write(head + piece(0) + piece(2) + tail)
    #expect(backup.fault() == .cut(missing: UInt64(Piece.sealedLength)))
  }

  @Test("A piece of another backup of the same vault does not open")
  func aPieceOfAnotherBackupOfTheSameVaultDoesNotOpen() throws {
    let backup = try BackedUp()
    let vault = try backup.home.open()
    let other = backup.place.path + "/two.hfb"
    try vault.writeBackup(to: other, number: 3, now: 5_000)
    let start = try beginning(backup)
    let (one, two) = (try backup.bytes(), try backup.place.bytes(of: "two.hfb"))
    try backup.write(Array(one[..<start]) + Array(two[start...]))
    #expect(backup.fault() == .pieceDamaged(index: 0))
    // With the other's beginning but its own slots: the code over the beginning holds salt, length and slots together.
    try backup.write(Array(one[..<12]) + Array(two[12..<44]) + Array(one[44...]))
    #expect(backup.fault() == .headerNotAuthentic)
  }

  @Test("A wrong passphrase for a backup is reported as wrong") func aWrongPassphraseIsSaidToBeWrong() throws {
    let backup = try BackedUp()
    #expect(throws: BackupError.opener(.authenticationFailed(triesLeft: nil, waitSeconds: 0))) {
      _ = try backup.opened("something else")
    }
  }

  @Test("A backup of a later version is refused") func aLaterVersionIsNotTouched() throws {
    let backup = try BackedUp()
    var bytes = try backup.bytes()
    bytes[11] = 9
    try backup.write(bytes)
    #expect(backup.fault() == .newerVersion(found: 9))
  }

  @Test("The keys of another vault do not open a backup") func anotherVaultsKeysAreNotTaken() throws {
    let (one, two) = (try BackedUp(), try BackedUp())
    let vault = try two.home.open()
    #expect(throws: BackupError.headerNotAuthentic) { _ = try BackupFile(path: one.file).open(as: vault) }
  }

  /// Who knows the keys of the class afterFirstUnlock alone makes a backup that reads well, and a record of another class in it
  /// that was taken from elsewhere is noticed.
  @Test("A record that stands under another's name is detected") func aRecordThatStandsUnderAnothersNameIsNoticed() throws {
    let backup = try BackedUp()
    try backup.home.edit {
      try $0.run("UPDATE records SET sealed = (SELECT sealed FROM records WHERE kind = 2) WHERE kind = 3")
    }
    // The vault itself would refuse: what is tested is a backup made by whoever has the keys and not our care.
    let database = try Database(path: backup.home.file)
    let stored = try HeaderTable.read(from: database)
    guard case .two(let header) = stored.header else { throw VaultError.corrupt(what: "header") }
    let opener = try PassphraseOpener(copying: secret("open sesame"))
    let (_, keys) = try Vault.prove(
      opener, stored, Attempt(at: .passphrase, in: database, now: 1), in: database, now: 1)
    let vault = Vault(
      Vault.Open(
        folder: HomeFolder(path: backup.home.path), machine: .current(sealing: nil), kinds: .tests, database: database,
        header: header,
        headerCode: [], deviceFinding: .nothing, keys: keys, inventory: Inventory()), openedBy: nil)
    let file = backup.place.path + "/forged.hfb"
    try vault.writeBackup(to: file, number: 1, now: 1)
    #expect {
      _ = try BackupFile(path: file).open(passphrase: secret("open sesame")).examine(knowing: .tests)
    } throws: { error in
      if case BackupError.recordDamaged(let kind, _) = error { return kind == "identity words" }
      return false
    }
  }
}
