import AuditLog
import DaemonSupport
import Foundation
import Identities
import JSON
import OwnerAPI
import Platform
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer
@testable import VaultRepair

@Suite struct OpeningTests {
  @Test("A new home opens again with the identity that was made in it") func aNewHomeOpensAndKeepsWhatWasDone() throws {
    let home = TestHome()
    #expect(!Opening.hasVault(home.home))
    _ = try home.withVault()
    #expect(Opening.hasVault(home.home))
    let session = try home.session()
    let made = try session.perform(ControlRequest("identity/create", ["name": "alice"]))
    session.close()
    let again = try home.session()
    let listed = try again.perform(ControlRequest("identity/list"))
    #expect(listed["identities"]?[0] == made.json)
    again.close()
  }

  @Test("A vault that another program has open for a moment is waited for") func aBusyVaultIsWaitedFor() async throws {
    let home = try TestHome().withVault()
    let holder = try home.core()
    let proof = PassphraseOpener(SecretBox(try secret(TestHome.passphrase)))
    #expect(throws: (any Error).self, "nobody said how long") { try Opening.vault(home.home, proof).close() }
    let waits = Task.detached { try Opening.vault(home.home.waiting(milliseconds: 60_000), proof).close() }
    try await Task.sleep(for: .milliseconds(50))
    holder.close()
    try await waits.value
  }

  @Test("A second vault is not made over the first one") func aSecondVaultIsNotMadeOverTheFirst() throws {
    let home = try TestHome().withVault()
    let before = try home.files()
    #expect(failure { _ = try home.withVault() }?.exit == .failed)
    #expect(try home.files() == before)
  }

  @Test("A stop leaves a log that knows the vault's last change, and a vault that knows the log's end")
  func aStopLeavesBothKnowingEachOther() throws {
    let home = try TestHome().withVault()
    let core = try home.core()
    _ = try core.log.appendAndWait(.event(.daemonStopped))
    let count = core.log.count
    core.close()
    let head = try unwrap(AuditLog.headVault(folder: home.home.log))
    let vault = try Vault.open(home: home.path, passphrase: secret(TestHome.passphrase), now: 1, kinds: .holdfast)
    defer { vault.close() }
    #expect(try unwrap(vault.mark).revision == head.revision)
    #expect(try unwrap(LogRecords.anchor(vault)).count == count)
  }

  @Test("Wrong passphrases are recorded, and from the third on each must wait")
  func aWrongPassphraseIsLockedOutMoreAndMoreAndRecorded() throws {
    let home = try TestHome().withVault()
    var seen: [OperationError] = []
    for _ in 0..<4 { seen.append(try unwrap(failure { try home.core("wrong horse") })) }
    #expect(seen.allSatisfy { $0.exit == .locked && $0.hint != nil })
    // Two free attempts; the third states the wait; the fourth comes too soon.
    #expect(!seen[0].error.contains("next attempt") && !seen[1].error.contains("next attempt"))
    #expect(seen[2].error.contains("You can try again in 1 s."))
    #expect(seen[3].error.contains(" s."))
    let vault = try Vault.open(
      home: home.path, passphrase: try secret(TestHome.passphrase), now: Clock.milliseconds + 60_000, kinds: .holdfast)
    defer { vault.close() }
    let log = try AuditReader(folder: home.home.log, key: try logKey(vault))
    let entries = try log.tail(10, matching: AuditFilter(kinds: [.vaultOpenFailed])).map(\.entry)
    #expect(entries.count == 4)
    #expect(entries.prefix(3).allSatisfy { $0.error == .wrongPassphrase })
    #expect(entries.last?.error == .throttled || entries.last?.error == .wrongPassphrase)
  }

  @Test("The log says how many attempts failed before the vault was opened")
  func theNextOpeningSaysHowManyAttemptsFailed() throws {
    let home = try TestHome().withVault()
    for _ in 0..<2 { _ = failure { try home.core("wrong horse") } }
    let core = try home.core()
    try core.log.appendAndWait(.event(.daemonStarted))
    let opened = try core.log.tail(1, matching: AuditFilter(kinds: [.vaultOpened])).first?.entry
    core.close()
    #expect(opened?.amount == 2)
  }

  @Test("Opening a home without a vault fails and creates nothing") func noVaultIsNotFound() throws {
    let home = TestHome()
    #expect(failure { try home.core() }?.exit == .notFound)
    #expect(!FileManager.default.fileExists(atPath: home.path))
  }

  @Test("A vault that is already open is refused with the number of the process that has it")
  func aVaultInUseNamesItsProcess() throws {
    let home = try TestHome().withVault()
    let core = try home.core()
    let refusal = failure { try home.core() }
    core.close()
    #expect(refusal?.exit == .failed && refusal?.error.contains("process \(getpid())") == true)
    try home.core().close()
  }

  @Test("A home folder that other users can read is refused") func aFolderOthersCanReadIsRefused() throws {
    let home = try TestHome().withVault()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed && refusal?.error.contains("755") == true)
  }

  /// Bytes 60 to 63 of an SQLite file are the user version, where the vault keeps its format.
  @Test("A vault of a newer format is refused and not changed") func aVaultOfANewerVersionIsRefusedUntouched() throws {
    let home = try TestHome().withVault()
    var bytes = try unwrap(try home.files()["vault.db"])
    bytes[63] = 9
    try Data(bytes).write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed && refusal?.error.contains("format 9") == true)
    #expect(try home.files()["vault.db"] == bytes)
  }

  @Test("A damaged vault is reported and not overwritten") func aDamagedVaultIsNamedAndNotOverwritten() throws {
    let home = try TestHome().withVault()
    let bytes = [UInt8]("this was a vault once".utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed)
    #expect(refusal?.error.contains("damaged") == true)
    #expect(try home.files()["vault.db"] == bytes)
  }

  @Test("A damaged log is reported, not overwritten, and the vault opens once the log is repaired")
  func aDamagedLogIsNamedAndTheVaultLetGo() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let log = try DamagedLog(of: home)
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed && refusal?.error.contains("The log") == true)
    #expect(FileManager.default.contents(atPath: log.path).map { [UInt8]($0) } == log.bytes)
    try log.mend()
    try home.core().close()
  }

  @Test("An older copy of the log is refused and reported, and a renewed log opens the home again")
  func anOlderLogPutBackIsRefusedAndNamed() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let manager = FileManager.default
    try manager.copyItem(atPath: home.home.log, toPath: home.path + "/old")
    let session = try home.session()
    _ = try session.perform(ControlRequest("identity/create", ["name": "alice"]))
    session.close()
    try manager.removeItem(atPath: home.home.log)
    try manager.moveItem(atPath: home.path + "/old", toPath: home.home.log)
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed && refusal?.error.contains("rolled back: the vault knows of") == true)
    let found = try Opening.verifyLog(
      home: home.home, credential: ShownCredential(passphrase: SecretBox(try secret(TestHome.passphrase)))
    ).result
    #expect(found?.isSound == false && found?.firstBadEntry ?? 0 > 1)
    #expect(found?.fault?.contains("the vault knows") == true)
    // Without the vault there is nothing to compare with.
    #expect(try Opening.verifyLog(home: home.home, credential: nil).result?.isSound == true)

    let renewed = try Opening.renewLog(
      home: home.home, credential: ShownCredential(passphrase: SecretBox(try secret(TestHome.passphrase))))
    let kept = renewed.kept
    #expect(manager.fileExists(atPath: kept + "/audit.log"))
    let core = try home.core()
    #expect(try core.log.tail(9, matching: AuditFilter(kinds: [.incidentMinor])).count == 1)
    core.close()
  }

  @Test("A log that was removed is reported and not replaced by an empty one") func aRemovedLogIsNotSilentlyMadeAnew() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    try FileManager.default.removeItem(atPath: home.home.log)
    #expect(failure { try home.core() }?.error.contains("the vault knows") == true)
    #expect(!FileManager.default.fileExists(atPath: home.home.log + "/audit.log"))
  }
}
