import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct RestorationTests {
  @Test("A restore that is cancelled leaves nothing behind") func aRestoreThatIsGivenUpLeavesNothing() throws {
    let backup = try BackedUp()
    let target = TemporaryHome()
    do { _ = try Restoration(of: backup.opened(), into: target.path, kinds: .tests) }
    #expect(!FileManager.default.fileExists(atPath: target.path + ".restoring"))
    #expect(throws: BackupError.cancelled) {
      _ = try Restoration(of: backup.opened(), into: target.path, kinds: .tests) { done, of in done < of }
    }
    #expect(!FileManager.default.fileExists(atPath: target.path + ".restoring"))
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test("A restore from a damaged backup leaves nothing behind") func aDamagedBackupLeavesNothing() throws {
    let backup = try BackedUp(large: 200_000)
    var bytes = try backup.bytes()
    bytes[bytes.count - 1] ^= 1
    try backup.write(bytes)
    let target = TemporaryHome()
    #expect(throws: BackupError.pieceDamaged(index: 3)) {
      _ = try Restoration(of: backup.opened(), into: target.path, kinds: .tests)
    }
    #expect(!FileManager.default.fileExists(atPath: target.path + ".restoring"))
  }

  @Test("A restore never overwrites a vault") func aVaultIsNeverOverwritten() throws {
    let backup = try BackedUp()
    let before = try backup.home.bytes()
    #expect(throws: BackupError.exists) { _ = try Restoration(of: backup.opened(), into: backup.home.path, kinds: .tests) }
    #expect(try backup.home.bytes() == before)
  }

  @Test("A vault that is made during a restore is kept") func aVaultThatIsMadeMeanwhileIsKept() throws {
    let backup = try BackedUp()
    let target = TemporaryHome()
    let restoration = try Restoration(of: backup.opened(), into: target.path, kinds: .tests)
    try target.create("another").close()
    #expect(throws: BackupError.exists) { try restoration.commit() }
    try target.open("another").close()
  }

  @Test("A restore fills an empty folder and refuses a full one") func anEmptyFolderIsFilledAndAFullOneIsNot() throws {
    let backup = try BackedUp()
    let target = TemporaryHome()
    try FileManager.default.createDirectory(atPath: target.path, withIntermediateDirectories: true)
    try Restoration(of: backup.opened(), into: target.path + "/", kinds: .tests).commit()
    try target.open().close()
    let full = TemporaryHome()
    try FileManager.default.createDirectory(atPath: full.path, withIntermediateDirectories: true)
    try full.write([1], to: "a file of somebody")
    #expect(throws: BackupError.exists) { _ = try Restoration(of: backup.opened(), into: full.path, kinds: .tests) }
    #expect(try full.bytes(of: "a file of somebody") == [1])
  }

  @Test("A restore does not follow links to delete files elsewhere", arguments: ["", "/log", "/log/deeper"])
  func linksAreNotFollowed(place: String) throws {
    let backup = try BackedUp()
    let (target, other) = (TemporaryHome(), TemporaryHome())
    try FileManager.default.createDirectory(atPath: other.path + "/folder", withIntermediateDirectories: true)
    try other.write([1], to: "a file of the owner")
    try other.write([2], to: "folder/another")
    let planted = target.path + ".restoring" + place
    try FileManager.default.createDirectory(
      atPath: (planted as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    #expect(symlink(other.path, planted) == 0)
    defer { try? FileManager.default.removeItem(atPath: target.path + ".restoring") }
    try Restoration(of: backup.opened(), into: target.path, kinds: .tests).commit()
    #expect(try other.bytes(of: "a file of the owner") == [1] && other.bytes(of: "folder/another") == [2])
    try target.open().close()
  }

  @Test("The next restore removes what an interrupted one left") func whatAnInterruptedRestoreLeftIsRemovedByTheNext() throws {
    let backup = try BackedUp()
    let target = TemporaryHome()
    let left = target.path + ".restoring"
    try FileManager.default.createDirectory(atPath: left + "/log", withIntermediateDirectories: true)
    for name in ["vault.db.new", "vault.db-wal", "log/audit.log"] {
      try Data([1]).write(to: URL(fileURLWithPath: left + "/" + name))
    }
    try Restoration(of: backup.opened(), into: target.path, kinds: .tests).commit()
    try target.open().close()
    #expect(!FileManager.default.fileExists(atPath: left))
  }
}
