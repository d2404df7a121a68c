import AuditLog
import Backups
import Ciphers
import DaemonSupport
import Identities
import JSON
import OwnerAPI
import OwnerWords
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
    #expect(step("backup-fresh", in: try overview(signer))?["last"] == .null)
    signer.core.log.append(AuditEntry(time: 1000, kind: .backupMade)) { _ in }
    #expect(step("backup-fresh", in: try overview(signer))?["last"] == .null, "too old")
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.plan))
    #expect(step("backup-fresh", in: try overview(signer))?["done"] == true)
    var facts = CustodyFacts(now: 1_000_000)
    let identity = try signer.identity
    facts.backups.note(identity.createdAt - 1, isChecked: true)
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

  @Test("Relays on this machine only are named as such") func relaysOnThisMachine() {
    var facts = CustodyFacts(now: 0)
    #expect(!facts.steps.contains { $0.name == .relaysReachable }, "no signer runs")
    for isReachable in [false, true] {
      facts.isReachable = isReachable
      #expect(facts.steps.last?.isDone == isReachable && facts.steps.last?.remedy == .addRelay)
    }
  }
}
