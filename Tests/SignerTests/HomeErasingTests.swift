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
    let mine = ["vault.db.damaged-1790000000", "log-1790000000", "backup.spool.part"]
    let others = ["device.key.kept-1", "notes.txt"]
    for name in mine + others { try Data("x".utf8).write(to: URL(fileURLWithPath: home.path + "/" + name)) }
    let outcome = try HomeErasing.erase(home)
    #expect(outcome.left == others && outcome.erased >= 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() == others)
    #expect(!Vault.exists(home: home.path))
    #expect(throws: VaultError.noVault) { try HomeErasing.erase(home) }
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
