import AuditLog
import Backups
import Ciphers
import Curve
import DaemonSupport
import Identities
import JSON
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

@Suite struct ReceiptTests {
  private func receipt(_ signer: Signer) throws -> JSONValue { try signer.operations.ask("identity/receipt", ["name": "main"]) }

  private func claim(_ name: String, in receipt: JSONValue) -> JSONValue? {
    receipt["claims"]?.array?.first { $0["claim"]?.string == name }
  }

  @Test("A receipt says what opens the key and whether each way was tested") func aReceiptFollowsWhatOpensTheKey() throws {
    let signer = try Signer()
    let before = try receipt(signer)
    #expect(before["class"] == "when-unlocked" && before["opens"]?.array?.count == 1)
    // The vault was opened by it a moment ago: that is as good as a test.
    #expect(
      claim("more-than-one-way-in", in: before)?["holds"] == false && claim("ways-in-tested", in: before)?["holds"] == true)
    #expect(before["opens"]?[0]?["last_tested"] == .null && before["opens"]?[0]?["last_worked"]?.integer != nil)
    let vault = signer.core.vault
    let opener = PassphraseOpener(try box(TestHome.passphrase))
    let slot = try vault.addSlot(
      .passphrase(box("a second one").duplicate(), cost: .floor), label: "second", provenBy: opener, now: 1000)
    _ = try vault.testSlot(with: opener, now: 5_000_000)
    let more = try receipt(signer)
    #expect(more["opens"]?.array?.count == 2 && claim("more-than-one-way-in", in: more)?["holds"] == true)
    #expect(more["opens"]?.array?.compactMap { $0["last_tested"]?.integer } == [5000])
    #expect(claim("ways-in-tested", in: more)?["holds"] == false)
    try vault.removeSlot(slot, now: 2000)
    let again = try receipt(signer)
    #expect(again["opens"]?.array?.count == 1 && claim("ways-in-tested", in: again)?["holds"] == true)
    signer.close()
  }

  @Test("A log that begins after the identity was made does not claim that its key never left") func youngerLog() throws {
    let signer = try Signer()
    var facts = try signer.operations.receiptFacts(of: signer.identity)
    func holds() throws -> ReceiptClaim.Holding {
      try unwrap(ReceiptClaims.all(facts).first { $0.claim == "never-open-outside" }).holds
    }
    #expect(facts.isMakingLogged)
    facts.logBegins = facts.identity.createdAt + 1
    #expect(try holds() == .yes, "the log's first entry can be that of the identity, one second later")
    facts.isMakingLogged = false
    facts.logBegins = facts.identity.createdAt
    #expect(try holds() == .yes)
    facts.logBegins = facts.identity.createdAt + 1
    #expect(try holds() == .notKnown)
    #expect(ReceiptClaims.limits(facts).contains { $0.contains("The log begins after the identity was made") })
    signer.close()
  }

  /// The vault's kit opens the vault's file, and that is what is lost with the machine.
  @Test("A key survives the loss of the machine only with a kit of the vault and a newer backup")
  func aKitOfTheVaultAloneDoesNotOutliveTheMachine() throws {
    let signer = try Signer()
    let survives = "survives-loss-of-this-machine"
    try signer.operations.ask(
      "recovery/create", ["threshold": 2, "shares": 3], secrets: ["passphrase": box(TestHome.passphrase)])
    let bare = claim(survives, in: try receipt(signer))
    #expect(bare?["holds"] == false && bare?["remedy"] == "make-backup", "a kit alone would be lost with the vault's file")
    signer.core.log.append(AuditEntry(time: 1000, kind: .backupMade)) { _ in }
    let older = try receipt(signer)
    #expect(claim(survives, in: older)?["holds"] == false && older["leaves"]?.array == [], "older than the key")
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.file))
    let unchecked = claim(survives, in: try receipt(signer))
    #expect(unchecked?["holds"] == "not known" && unchecked?["remedy"] == "check-backup", "nobody knows whether it arrived")
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.plan))
    let after = try receipt(signer)
    #expect(claim(survives, in: after)?["holds"] == true && after["leaves"]?.array?.count == 1)
    signer.close()
  }

  @Test("Whatever lets a receipt say that the key survives this machine is among what rebuilds it")
  func whatSurvivesIsNamed() throws {
    let signer = try Signer()
    func rebuilds() throws -> [String] { try receipt(signer)["rebuild"]?.array?.compactMap { $0["what"]?.string } ?? [] }
    #expect(claim("survives-loss-of-this-machine", in: try receipt(signer))?["holds"] == false)
    #expect(try !rebuilds().contains("backup"))
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.delivery))
    #expect(claim("survives-loss-of-this-machine", in: try receipt(signer))?["holds"] == true)
    #expect(try rebuilds().contains("backup"))
    try signer.operations.ask(
      "identity/export", ["name": "main", "format": "ncryptsec"],
      secrets: ["passphrase": box(TestHome.passphrase), "password": box("another one")])
    #expect(try rebuilds().contains("exported copy"))
    signer.close()
  }

  @Test("A receipt does not promise a restore by a backup that today's ways in do not open")
  func aReceiptKnowsWhatOpensTheBackup() throws {
    let signer = try Signer()
    let survives = "survives-loss-of-this-machine"
    func state() throws -> JSONValue? { claim(survives, in: try receipt(signer)) }
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.delivery))
    let made = try signer.operations.ask(
      "recovery/create", ["threshold": 2, "shares": 3], secrets: ["passphrase": box(TestHome.passphrase)])
    try signer.operations.ask("recovery/handed-out", ["id": .string(unwrap(made["kit"]?["id"]?.string ?? made["id"]?.string))])
    #expect(try state()?["holds"] == "not known" && state()?["remedy"] == "make-backup", "the kit does not open it")
    try signer.operations.ask(
      "slot/passphrase", [:], secrets: ["passphrase": box(TestHome.passphrase), "new_passphrase": box("another horse")])
    #expect(try state()?["holds"] == false && state()?["how"]?.string?.contains("nothing that opens the vault now") == true)
    _ = try signer.core.log.appendAndWait(.event(.backupMade, rule: BackupReason.delivery))
    #expect(try state()?["holds"] == true)
    signer.close()
  }

  @Test("A receipt names the place where the schedule stored a backup, and trusts none on the vault's own disk")
  func aReceiptNamesTheBackupsPlace() throws {
    let signer = try Signer()
    func plan(at place: String, done: Int64) throws {
      var plan = BackupPlan(place: PlaceText(to: place), every: 86_400, keep: 3, made: 1)
      plan.lastDone = done
      try signer.core.vault.transaction([BackupRecords.change(plan)])
    }
    func survives() throws -> JSONValue? { claim("survives-loss-of-this-machine", in: try receipt(signer)) }
    try plan(at: "https://dav.example/backups", done: signer.identity.createdAt - 1)
    #expect(try survives()?["holds"] == false, "it is older than the key")
    try plan(at: "https://dav.example/backups", done: signer.identity.createdAt)
    let elsewhere = try survives()
    #expect(
      elsewhere?["holds"] == true && elsewhere?["how"]?.string?.contains("stored it at https://dav.example/backups") == true)
    let backup = try receipt(signer)["rebuild"]?.array?.first { $0["what"] == "backup" }
    #expect(backup?["where"] == "https://dav.example/backups")
    try plan(at: signer.core.folder.path, done: signer.identity.createdAt)
    let here = try survives()
    #expect(here?["holds"] == false && here?["how"]?.string?.contains("on the same disk as the vault") == true)
    signer.close()
  }

  @Test("A receipt follows the protection class of the key") func aReceiptFollowsTheClass() throws {
    let signer = try Signer()
    #expect(claim("presence-for-each-use", in: try receipt(signer))?["holds"] == false)
    let changed = try signer.operations.ask(
      "identity/class", ["name": "main", "class": "device-passcode,this-device-only"],
      secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(changed["class"] == "device-passcode,this-device-only")
    let after = try receipt(signer)
    for name in ["presence-for-each-use", "gone-when-locked"] { #expect(claim(name, in: after)?["holds"] == true) }
    #expect(claim("this-device-only", in: after)?["holds"] == "not enforced here")
    #expect(
      after["held_by"]?.array?.map { $0["class"]?.string } == [
        "device-passcode,this-device-only", "device-passcode,this-device-only",
      ])
    #expect(exit(signer.operations, "identity/class", ["name": "main", "class": "when-unlocked"]) == .usage)
    try signer.operations.ask(
      "identity/class", ["name": "main", "class": "after-first-unlock"], secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(claim("gone-when-locked", in: try receipt(signer))?["holds"] == false)
    #expect(try signer.entries(.identityChanged).count == 2)
    signer.close()
  }

  @Test("Status says that only files bind a key to this device")
  func statusSaysWhatBindsToTheDevice() throws {
    let signer = try Signer()
    #expect(try signer.operations.ask("status")["device_binding"] == .null)
    try signer.operations.ask(
      "identity/class", ["name": "main", "class": "when-unlocked,this-device-only"],
      secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(try signer.operations.ask("status")["device_binding"] == "not enforced here")
    signer.close()
  }

  @Test("A receipt says when the key has been exported") func aReceiptFollowsWhatLeaves() throws {
    let signer = try Signer()
    #expect(claim("never-open-outside", in: try receipt(signer))?["holds"] == true)
    #expect(try receipt(signer)["leaves"]?.array?.isEmpty == true)
    try signer.operations.ask(
      "identity/export", ["name": "main", "format": "mnemonic", "confirm": "I understand"],
      secrets: ["passphrase": box(TestHome.passphrase)])
    let after = try receipt(signer)
    #expect(claim("never-open-outside", in: after)?["holds"] == false)
    #expect(after["leaves"]?.array?.map { $0["what"]?.string } == ["export as mnemonic"])
    #expect(claim("never-in-swap", in: after)?["holds"] == "not enforced here")
    signer.close()
  }
}
