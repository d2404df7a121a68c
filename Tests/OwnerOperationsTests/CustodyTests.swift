import AuditLog
import Backups
import Ciphers
import DaemonSupport
import Foundation
import Identities
import JSON
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// The one judgement of how keys are kept, which all pages show.
@Suite struct CustodyTests {
  private func overview(_ signer: Signer) throws -> JSONValue { try signer.operations.ask("custody/overview", [:]) }

  private func step(_ name: String, in overview: JSONValue) -> JSONValue? {
    overview["steps"]?.array?.first { $0["step"]?.string == name }
  }

  @Test("A key that one passphrase opens ends with one loss, until there is a second way")
  func aSecondWayEndsTheRisk() throws {
    let signer = try Signer()
    let before = try overview(signer)
    #expect(before["keys"]?[0]?["name"] == "main" && before["keys"]?[0]?["ends_with_one_loss"] == true)
    #expect(step("second-way-in", in: before)?["done"] == false && step("second-way-in", in: before)?["remedy"] == "add-way")
    let opener = PassphraseOpener(try box(TestHome.passphrase))
    let second = try SlotEnrolment.passphrase(box("a second one").duplicate(), cost: .floor)
    let slot = try signer.core.vault.addSlot(second, label: "second", provenBy: opener, now: 1000)
    let after = try overview(signer)
    #expect(after["keys"]?[0]?["ends_with_one_loss"] == false && step("second-way-in", in: after)?["done"] == true)
    #expect(after["keys"]?[0]?["ways"]?.array?.last?.string == "slot-\(slot)")
    #expect(after["ways"]?.array?.last?["last_worked"] == .null, "never tried")
    signer.close()
  }

  @Test("An exported copy survives one loss, but is no second way in") func anExportedCopyIsNoWayIn() throws {
    let signer = try Signer()
    let key = try signer.identity.publicKey
    _ = try signer.core.log.appendAndWait(.event(.keyExported, identity: key))
    let after = try overview(signer)
    #expect(after["keys"]?[0]?["ends_with_one_loss"] == false && after["keys"]?[0]?["exported"]?.integer != nil)
    let second = step("second-way-in", in: after)
    #expect(second?["done"] == false && second?["text"] == "Only one thing opens main.")
    signer.close()
  }

  @Test("A recovery kit counts once its shares are handed out, and is done once it was tested")
  func aKitIsDoneOnceTested() throws {
    let signer = try Signer()
    #expect(step("kit-tested", in: try overview(signer))?["remedy"] == "make-kit")
    let made = try signer.operations.ask(
      "recovery/create", ["threshold": 2, "shares": 3], secrets: ["passphrase": box(TestHome.passphrase)])
    let kit = try unwrap(made["id"]?.string ?? made["kit"]?["id"]?.string)
    try signer.operations.ask("recovery/handed-out", ["id": .string(kit)])
    let untested = try overview(signer)
    #expect(step("kit-tested", in: untested)?["done"] == false && step("kit-tested", in: untested)?["remedy"] == "test-kit")
    #expect(untested["ways"]?.array?.last?["kit"]?.string == kit)
    let noted = try unwrap(try signer.operations.kits().first)
    var tested = noted
    tested.lastTested = 5000
    try signer.core.vault.transaction([.put(.recoveryKit, tested.recordID, tested.record)])
    let after = try overview(signer)
    #expect(step("kit-tested", in: after)?["done"] == true && step("kit-tested", in: after)?["last"] == 5000)
    #expect(after["ways"]?.array?.last?["last_worked"] == 5000)
    signer.close()
  }

  @Test("A backup is fresh when it is younger than 30 days and than every key") func aBackupIsFresh() throws {
    let signer = try Signer()
    let none = step("backup-fresh", in: try overview(signer))
    #expect(none?["last"] == .null && none?["text"] == "No backup was made yet.")
    _ = try signer.core.log.appendAndWait(AuditEntry(time: 900, kind: .backupRestored))
    let restored = step("backup-fresh", in: try overview(signer))
    #expect(restored?["text"] == "This vault was restored from a backup, and no backup was made since.")
    _ = try signer.core.log.appendAndWait(AuditEntry(time: 1000, kind: .backupMade))
    let old = step("backup-fresh", in: try overview(signer))
    #expect(old?["last"] == .null && old?["text"] == "No backup was made in the last 30 days.", "too old")
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.plan))
    #expect(step("backup-fresh", in: try overview(signer))?["done"] == true)
    var facts = CustodyFacts(now: 1_000_000)
    let identity = try signer.identity
    facts.backups.note((identity.createdAt - 1) * 1000, .elsewhere)
    facts.keys = [(identity, .whenUnlocked)]
    #expect(facts.steps.first { $0.name == .backupFresh }?.isDone == false, "older than the key")
    facts.keys = [(identity, ProtectionClass(.whenUnlockedThisDeviceOnly))]
    #expect(facts.steps.first { $0.name == .backupFresh }?.isDone == true, "no backup can have it")
    signer.close()
  }

  @Test("A backup that is only a file counts as fresh once it was checked") func aFileCountsOnceChecked() throws {
    let signer = try Signer()
    func note(_ kind: AuditEntry.Kind, _ number: Int64, _ rule: AuditRule) throws {
      var entry = AuditEntry.event(kind, rule: rule)
      entry.amount = number
      _ = try signer.core.log.appendAndWait(entry)
    }
    try note(.backupMade, 1, BackupReason.file)
    let made = step("backup-fresh", in: try overview(signer))
    #expect(made?["done"] == false && made?["remedy"] == "check-backup" && made?["last"]?.integer != nil)
    try note(.backupVerified, 9, "opened by the owner")
    #expect(step("backup-fresh", in: try overview(signer))?["done"] == false, "another backup")
    try note(.backupVerified, 1, "opened by the owner")
    #expect(step("backup-fresh", in: try overview(signer))?["done"] == true)
    try note(.backupMade, 2, BackupReason.file)
    #expect(step("backup-fresh", in: try overview(signer))?["done"] == true, "the one before is still good")
    signer.close()
  }

  @Test("A backup is no longer fresh once a kit is handed out or the passphrase changes, until there is a new one")
  func whatCameLaterIsInNoBackup() throws {
    let signer = try Signer()
    func backup() throws { _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.delivery)) }
    func state() throws -> JSONValue? { step("backup-fresh", in: try overview(signer)) }
    func warning() throws -> String? { try signer.operations.ask("backup/plan")["warning"]?.string }
    try backup()
    #expect(try state()?["done"] == true && warning() == nil)
    let made = try signer.operations.ask(
      "recovery/create", ["threshold": 2, "shares": 3], secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(try state()?["done"] == true, "nobody has its shares yet")
    try signer.operations.ask("recovery/handed-out", ["id": .string(unwrap(made["kit"]?["id"]?.string ?? made["id"]?.string))])
    let kit = "A recovery kit was made after the last backup, which does not open with it."
    #expect(try state()?["done"] == false && state()?["text"]?.string == kit && state()?["remedy"] == "make-backup")
    #expect(try warning() == kit)
    try backup()
    #expect(try state()?["done"] == true && warning() == nil)
    try signer.operations.ask(
      "slot/passphrase", [:], secrets: ["passphrase": box(TestHome.passphrase), "new_passphrase": box("another horse")])
    let passphrase = "The passphrase was set after the last backup, which does not open with it."
    #expect(try state()?["text"]?.string == passphrase && warning() == passphrase)
    #expect(try signer.operations.ask("backup/list")["warning"]?.string == passphrase)
    try backup()
    #expect(try state()?["done"] == true)
    signer.close()
  }

  @Test("A backup that was only read on the vault's own disk is not fresh, until one is checked elsewhere")
  func aBackupOnTheSameDiskIsNamed() throws {
    let signer = try Signer()
    func note(_ kind: AuditEntry.Kind, _ number: Int64, _ rule: AuditRule) throws -> JSONValue? {
      var entry = AuditEntry.event(kind, rule: rule)
      entry.amount = number
      _ = try signer.core.log.appendAndWait(entry)
      return step("backup-fresh", in: try overview(signer))
    }
    let here = try note(.backupMade, 1, BackupReason.planOnVaultsDisk)
    #expect(here?["done"] == false && here?["remedy"] == "move-backup" && here?["last"]?.integer != nil)
    #expect(here?["text"]?.string?.contains("only on this disk") == true)
    #expect(try note(.backupVerified, 1, BackupReason.readOnVaultsDisk)?["done"] == false)
    #expect(try note(.backupVerified, 1, BackupReason.opened)?["done"] == true, "its copy was opened elsewhere")
    signer.close()
  }

  @Test("A backup is recorded as one on the vault's own disk when it is made or checked there")
  func theLogSaysWhereABackupWas() throws {
    let signer = try Signer()
    let secrets = ["passphrase": try box(TestHome.passphrase)]
    let folder = signer.core.folder.path + "-backups"
    #expect(mkdir(folder, 0o700) == 0)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try signer.operations.ask("backup/create", ["to": .string(folder)], secrets: secrets)
    try signer.operations.ask("backup/create", ["file": .string(folder + "/x.hfb")])
    try signer.operations.ask("backup/verify", ["file": .string(folder + "/x.hfb")])
    try signer.operations.ask("backup/verify", ["file": .string(folder + "/x.hfb")], secrets: secrets)
    #expect(try signer.entries(.backupMade).map(\.rule) == [BackupReason.deliveryOnVaultsDisk, BackupReason.file])
    #expect(try signer.entries(.backupVerified).map(\.rule) == [BackupReason.readOnVaultsDisk, BackupReason.openedOnVaultsDisk])
    #expect(step("backup-fresh", in: try overview(signer))?["remedy"] == "move-backup")
    signer.close()
  }

  @Test("The list of backups says which present ways open each, to the millisecond") func theListNamesTheWays() throws {
    let signer = try Signer()
    let secrets = ["passphrase": try box(TestHome.passphrase)]
    let folder = signer.core.folder.path + "-backups"
    #expect(mkdir(folder, 0o700) == 0)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try signer.operations.ask("backup/schedule", ["to": .string(folder)], secrets: secrets)
    try signer.operations.ask("backup/run")
    let opener = PassphraseOpener(try box(TestHome.passphrase))
    let second = try SlotEnrolment.passphrase(box("a second one").duplicate(), cost: .floor)
    let sameSecond = Clock.milliseconds + 1
    let slot = try signer.core.vault.addSlot(second, label: "second", provenBy: opener, now: sameSecond)
    let closed = "The passphrase was set after the last backup, which does not open with it."
    #expect(step("backup-fresh", in: try overview(signer))?["text"]?.string == closed)
    let listed = try unwrap(signer.operations.ask("backup/list")["backups"]?[0])
    #expect(listed["opens_with"]?.array?.compactMap { $0["id"]?.integer } == [1])
    #expect(
      listed["not_with"]?.array?.map { $0["label"]?.string } == ["second"]
        && listed["not_with"]?[0]?["id"] == .integer(Int64(slot)))
    #expect(try signer.operations.ask("backup/list", ["to": .string(folder)])["backups"]?[0] == listed)
    signer.close()
  }

  @Test("Relays on this machine only are named as such") func relaysOnThisMachine() {
    var facts = CustodyFacts(now: 0)
    #expect(!facts.steps.contains { $0.name == .relaysReachable }, "no signer runs")
    for isReachable in [false, true] {
      facts.isReachable = isReachable
      #expect(facts.steps.last?.isDone == isReachable && facts.steps.last?.remedy == .addRelay)
    }
  }
}
