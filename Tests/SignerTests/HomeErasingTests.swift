import DaemonSupport
import Foundation
import TestSupport
import Testing
import Vault

@testable import Signer

@Suite struct HomeErasingTests {
  @Test("Erasing removes the vault, its copies, its log and its device secret, and leaves other files")
  func everythingOfTheVaultGoes() throws {
    let signer = try Signer()
    let home = signer.core.folder
    signer.close()
    let mine = [
      "vault.db.damaged-1790000000", "vault.db.damaged-1790000000-wal", "backup.spool.part", "log-1790000000/audit.log",
    ]
    let leftovers = [
      "rehearsal-aB3dEf/rehearsing", "rehearsal-aB3dEf/home.restoring/vault.db", "rehearsal-aB3dEf/backup.hfb",
      "vault.db.salvaged.new-journal", ".holdfast-fetched-aB3dEf", "log/audit.head.new-01abcdef", "log/audit.seen.old",
    ]
    for name in mine + leftovers { try Self.write(name, in: home) }
    let others = try Self.ownFiles(in: home)
    let outcome = try HomeErasing.erase(home)
    #expect(outcome.left == others && outcome.erased >= 5)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: home.path))
        == Set(others.map { String($0.split(separator: "/")[0]) }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.log).sorted() == [".directory", "audit.notes", "audit.pdf"])
    #expect(!Vault.exists(home: home.path))
    #expect(throws: VaultError.noVault) { try HomeErasing.erase(home) }
  }

  /// Files and folders of the owner's whose names begin like ours.
  private static func ownFiles(in home: Home) throws -> [String] {
    let files = [
      "device.key.kept-1", "notes.txt", "vault.db.backup-2025", "vault.db.damaged-by-me", "log-book/diary.txt",
      "log-1700/letters.txt", "log/.directory",
      "log/audit.notes/mine/a", "log/audit.pdf", "rehearsal-monday/home/Songs/a.flac",
      "rehearsal-notes/a", "rehearsal-photos/home.jpg", ".holdfast-fetched-by-me", "rehearsal-abcdef/home/../mine",
      "backup.download.txt",
    ]
    for name in files { try write(name, in: home) }
    try FileManager.default.createSymbolicLink(atPath: home.path + "/vault.db-shm", withDestinationPath: "notes.txt")
    let logs = ["log", "log-1700"]
    return Set(
      files.map { file in
        let names = file.split(separator: "/").map(String.init)
        return logs.contains(names[0]) ? names.prefix(2).joined(separator: "/") : names[0]
      }
    ).union(["vault.db-shm"]).sorted()
  }

  private static func write(_ name: String, in home: Home) throws {
    let file = URL(fileURLWithPath: home.path + "/" + name).standardizedFileURL
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: file)
  }

  @Test("A log that is a link to another folder stays, and a file with a second name is named") func linksAreSaid() throws {
    let signer = try Signer()
    let home = signer.core.folder
    signer.close()
    let elsewhere = home.path + "-elsewhere"
    try FileManager.default.moveItem(atPath: home.log, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: home.log, withDestinationPath: elsewhere)
    try FileManager.default.linkItem(atPath: home.path + "/vault.db", toPath: elsewhere + "/copy")
    try Self.write("log-1790000000/audit.log", in: home)
    try FileManager.default.linkItem(atPath: home.path + "/log-1790000000/audit.log", toPath: elsewhere + "/other")
    let outcome = try HomeErasing.erase(home)
    #expect(outcome.left == ["log"] && outcome.linked == ["log-1790000000/audit.log", "vault.db"])
    #expect(FileManager.default.fileExists(atPath: elsewhere + "/audit.log"))
    for path in [elsewhere, home.path] { try FileManager.default.removeItem(atPath: path) }
  }

  @Test("What a cut-off rehearsal left is removed, and a folder of the owner's with such a name is not")
  func onlyOurRehearsalsGo() throws {
    let signer = try Signer()
    let home = signer.core.folder
    try Self.write("rehearsal-monday/home/Songs/a.flac", in: home)
    let ours = try #require(RehearsalFolder.make(in: home.path))
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix("rehearsal-") }
    #expect(names.filter { RehearsalFolder.isOne($0, in: home.path) } == [String(ours.split(separator: "/").last ?? "")])
    RehearsalFolder.remove(ours)
    #expect(!FileManager.default.fileExists(atPath: ours))
    signer.close()
  }

  @Test("A folder with nothing else is removed, and the device secret is overwritten") func theFolderGoes() throws {
    let signer = try Signer()
    let home = signer.core.folder
    signer.close()
    let secret = try FileHandle(forReadingFrom: URL(fileURLWithPath: home.path + "/device.key"))
    _ = try HomeErasing.erase(home)
    #expect(!FileManager.default.fileExists(atPath: home.path))
    #expect(try secret.readToEnd()?.allSatisfy { $0 == 0 } == true)
  }

  @Test("A vault that is in use is not erased") func aVaultInUseStays() throws {
    let signer = try Signer()
    let error = #expect(throws: VaultError.self) { try HomeErasing.erase(signer.core.folder) }
    guard case .inUse? = error else { throw Missing() }
    #expect(Vault.exists(home: signer.core.folder.path))
    signer.close()
  }
}
