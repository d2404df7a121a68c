import AuditLog
import Ciphers
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Mnemonics
import ObjectStorage
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import SecretMemory
import Testing
import Vault

@testable import Backups
@testable import Doctor
@testable import EntrustedShares
@testable import Notifications
@testable import OwnerOperations
@testable import PushRegistration
@testable import Signer

@Suite struct BackupOperationTests {
  private func restore(_ file: String, _ home: TestHome, _ words: String = TestHome.passphrase) throws -> JSONValue {
    let backup = try RestorableBackup(ReadableBackup(file: file), .passphrase(box(words)))
    return BackupRestore.Response(try backup.restore(to: home.home, newPassphrase: nil, cost: .floor)).json
  }

  /// A server that takes everything and sends back far more.
  private final class EndlessStore: FileStore {
    let pieces = Locked(0)
    func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile] { [] }
    func put(_ path: String, as name: String, _ control: TransferControl) throws(ObjectStorageError) {}
    func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError) {}
    func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError) {}
    func get(
      _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(ObjectStorageError) {
      let piece = [UInt8](repeating: 0, count: 1 << 20)
      for _ in 0..<32 {
        pieces.change { $0 += 1 }
        guard piece.withUnsafeBytes({ sink($0) }) else { throw .cancelled }
      }
    }
  }

  @Test("A server that sends endless data does not fill the disk") func aServerThatSendsOnAndOnDoesNotFillTheDisk() throws {
    let signer = try Signer()
    let store = EndlessStore()
    #expect(
      failure { _ = try signer.operations.services.backups.deliver(to: store, at: .folder("/x"), keep: nil, isPlanned: false) }?
        .exit == .failed)
    // One of the backup, and what may be in a list of revocations, before that is written and after.
    let mostOfList = RevocationList.maximumLength / (1 << 20) + 1
    #expect(store.pieces.withLock { $0 } == 1 + 2 * mostOfList)
    #expect(try signer.entries(.backupMade).isEmpty)
    signer.close()
  }

  @Test("An app that was revoked after the backup comes back paused when there is no revocation list")
  func anAppComesBackSuspendedEvenThoughItWasRevokedSince() throws {
    let (signer, place) = (try Signer(), try Place())
    let app = try signer.pairedApp(trust: "full")
    let file = place.path + "/old.hfb"
    try signer.operations.ask("backup/create", ["file": .string(file)])
    try signer.operations.ask("client/revoke", ["client": .string(app.key.publicKey.hex)])
    signer.close()
    let home = TestHome()
    let result = try restore(file, home)
    #expect(result["suspended"]?.array?.count == 1 && result["revoked"]?.array?.isEmpty == true)
    let core = try home.core()
    defer { core.close() }
    let pairing = try unwrap(core.engine.pairings.first)
    #expect(pairing.grant.isSuspended && pairing.client == app.key.publicKey)
  }

  @Test("A restore drops links, waiting requests, subscriptions and passkeys, and begins a new log")
  func oneTimeStateIsBurnt() throws {
    let (signer, place) = (try Signer(), try Place())
    try signer.operations.ask("pair/new")
    let vault = signer.core.vault
    try vault.transaction([
      .put(.pushSubscription, [1], [1]), .put(.passkey, [2], [2]), .put(.shareRequest, [3], [3]),
      .put(.pendingRequest, [61, 4], [4]), .put(.pushPlan, [5], [5]), .put(.pushRegistration, [6], [6]),
    ])
    let oldKey = try vault.secret(kind: .logKey, id: Array("sealing".utf8)).withBytes { Array($0) }
    let file = place.path + "/one.hfb"
    try signer.operations.ask("backup/create", ["file": .string(file)])
    signer.close()
    let home = TestHome()
    #expect(try restore(file, home)["dropped"]?.integer ?? 0 >= 5)
    let core = try home.core()
    defer { core.close() }
    for kind in [
      RecordKind.link, .linkKey, .pendingRequest, .pushSubscription, .passkey, .shareRequest, .pushKey, .pushPlan,
      .pushRegistration,
    ] {
      #expect(try core.vault.ids(kind).isEmpty, "\(kind)")
    }
    #expect(core.engine.openLinks.isEmpty)
    #expect(try core.vault.secret(kind: .logKey, id: Array("sealing".utf8)).withBytes { Array($0) } != oldKey)
    let first = try unwrap(core.log.read(from: 1, limit: 1).first)
    #expect(first.sequence == 1 && first.entry.kind == .backupRestored && first.entry.amount == 1)
  }

  @Test("After a restore, an app's limits count as used up until their periods are over")
  func whatAnAppMayUseUpIsUsedUp() throws {
    let limits = RequestLimits(perMinute: 2, perHour: nil, perDay: 7)
    let usage = Usage(spending: Grant(trust: .full, limits: limits), since: 1_000)
    #expect(usage.used(.minute, at: 1_001) == 2 && usage.used(.day, at: 1_001) == 7 && usage.used(.hour, at: 1_001) == 0)
    #expect(usage.used(.minute, at: 1_061) == 0)
  }

  @Test("A backup plan makes backups, verifies them and keeps only as many as it should")
  func aPlanBringsBackupsReadsThemBackAndKeepsSoMany() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    try Data([1]).write(to: URL(fileURLWithPath: place.path + "/photo.jpg"))
    try signer.operations.ask("backup/schedule", ["to": .string(place.path), "every": "1h", "keep": 2], secrets: try owner)
    var names: [String] = []
    for _ in 0..<4 { names.append(try unwrap(signer.operations.ask("backup/run")["plan"]?["name"]?.string)) }
    #expect(Set(place.names) == Set(names.suffix(2) + ["photo.jpg", BackupName.revocations(signer.core.vault.id)]))
    let listed = try unwrap(signer.operations.ask("backup/list")["backups"]?.array)
    #expect(listed.compactMap { $0["name"]?.string } == names.suffix(2).reversed())
    // A newer one takes nothing from what was checked before.
    #expect(listed.allSatisfy { $0["verified"]?.bool == true })
    #expect(try FileManager.default.contentsOfDirectory(atPath: signer.core.folder.path).allSatisfy { !$0.hasPrefix("backup") })
  }

  @Test("A new place that does not work is refused before the schedule changes, and a working one holds no test file")
  func aNewPlaceIsTried() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let disk: JSONValue = ["to": .string(place.path + "/disk")]
    let error = #expect(throws: OperationError.self) {
      try signer.operations.ask("backup/schedule", disk, secrets: try owner)
    }
    #expect(error?.hint?.contains("--untested") == true)
    #expect(try signer.operations.ask("backup/plan")["plan"]?.isNull == true)
    try signer.operations.ask("backup/schedule", ["to": .string(place.path)], secrets: try owner)
    #expect(place.names.isEmpty)
  }

  @Test("A folder on the vault's own disk is named as such, and a folder elsewhere is not") func aSharedDiskIsNamed() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    func remark(_ to: String) throws -> String? {
      try signer.operations.ask("backup/schedule", ["to": .string(to), "untested": true], secrets: try owner)["plan"]?["remark"]?
        .string
    }
    #expect(try remark(place.path)?.contains("on the same disk as the vault") == true)
    #expect(try remark("/proc") == nil, "another file system")
    #expect(try remark(place.path + "/gone") == nil && remark("https://cloud.example/dav") == nil)
  }

  @Test("A missing backup place is reported, and nothing is removed") func aPlaceThatIsGoneIsToldAndNothingIsRemoved() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let disk: JSONValue = ["to": .string(place.path + "/disk"), "keep": 1, "untested": true]
    try signer.operations.ask("backup/schedule", disk, secrets: try owner)
    for round in 1...3 {
      #expect(exit(signer.operations, "backup/run") == .failed)
      let plan = try unwrap(signer.operations.ask("backup/plan")["plan"])
      #expect(plan["failures"]?.integer == Int64(round) && plan["last_error"]?.string?.contains("no such place") == true)
    }
    #expect(try signer.entries(.incidentMinor).count == 1)
  }

  @Test("A backup counts as tested only after it was opened with the owner's passphrase")
  func aBackupThatOnlyTheOwnerCanOpenIsRemembered() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let file: JSONValue = .string(place.path + "/one.hfb")
    try signer.operations.ask("backup/create", ["file": file])
    #expect(try signer.operations.ask("backup/verify", ["file": file])["proven"]?.bool == false)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.isNull == true)
    let found = try signer.operations.ask("backup/verify", ["file": file], secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(found["proven"]?.bool == true && found["this_vault"]?.bool == true)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.integer ?? 0 > 0)
    #expect(throws: OperationError.self) {
      try signer.operations.ask("backup/verify", ["file": file], secrets: ["passphrase": box("wrong")])
    }
    #expect(try signer.entries(.backupVerified).count == 2)
  }

  @Test("Shares that do not open the vault count as attempts when a backup is opened with them")
  func sharesGuessedAtABackupCount() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let file: JSONValue = .string(place.path + "/one.hfb")
    _ = try signer.operations.ask(
      "recovery/create", ["threshold": 1, "shares": 1], secrets: ["passphrase": box(TestHome.passphrase)])
    try signer.operations.ask("backup/create", ["file": file])
    let strange = try SharedSecret.split(
      SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: 5) }, into: try SharePlan(threshold: 1, count: 1))
    let words = try strange[0][0].words().withBytes { String(decoding: $0, as: UTF8.self) }
    try expectCounting(signer, file, ["shares": words])
  }

  /// Five wrong credentials at a backup of the vault are recorded, and then even the right passphrase has to wait.
  private func expectCounting(_ signer: Signer, _ file: JSONValue, _ wrong: [String: String]) throws {
    func fault(_ secrets: [String: String]) -> OperationError? {
      failure { try signer.operations.ask("backup/verify", ["file": file], secrets: try secrets.mapValues { try box($0) }) }
    }
    // On a busy machine the wait can pass before the passphrase is given.
    let hasToWait = (0..<4).contains { _ in
      for _ in 0..<5 { #expect(fault(wrong) != nil) }
      return fault(["passphrase": TestHome.passphrase])?.exit == .locked
    }
    #expect(hasToWait)
    #expect(try signer.entries(.vaultOpenFailed).count >= 4)
  }

  /// Its shares may have leaked, and the older backup still has its slot.
  @Test("Recovery codes guessed at an older backup count after their kit was removed from the vault")
  func aRemovedKitsCodeIsNotGuessed() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let (file, shares) = try removedKit(signer, place)
    try expectCounting(signer, file, ["shares": shares, "recovery_code": "a guess"])
  }

  @Test("A kit that was removed from the vault still opens an older backup, and that is no failed attempt")
  func aRemovedKitOpensAnOlderBackup() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let (file, shares) = try removedKit(signer, place)
    let secrets = try ["shares": box(shares), "recovery_code": box("plum torch 9")]
    for _ in 0..<5 { #expect(try signer.operations.ask("backup/verify", ["file": file], secrets: secrets)["proven"] == true) }
    #expect(try signer.entries(.vaultOpenFailed).isEmpty)
    #expect(try signer.operations.ask("backup/verify", ["file": file], secrets: owner)["proven"] == true)
  }

  /// - Returns: a backup with a kit that the vault no longer has, and the kit's only share.
  private func removedKit(_ signer: Signer, _ place: Place) throws -> (file: JSONValue, shares: String) {
    let file: JSONValue = .string(place.path + "/one.hfb")
    let made = try signer.operations.ask(
      "recovery/create", ["threshold": 1, "shares": 1],
      secrets: ["passphrase": box(TestHome.passphrase), "new_recovery_code": box("plum torch 9")])
    try signer.operations.ask("backup/create", ["file": file])
    try signer.operations.ask("recovery/remove", ["id": unwrap(made["kit"]?["id"])], secrets: owner)
    return (file, try unwrap(made["shares"]?.array?.first?.string))
  }

  @Test("Shares that take a minute to compute are refused before they are tried") func slowSharesAreRefused() throws {
    let signer = try Signer()
    defer { signer.close() }
    let slow = try SharedSecret.split(
      SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: 5) },
      into: try SharePlan(threshold: 1, count: 1), exponent: 3)
    let words = try slow[0][0].words().withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(exit(signer.operations, "slot/test", secrets: ["shares": try box(words)]) == .usage)
  }

  /// Its PAM check would try the login passwords that the page sends, and nothing would count them.
  @Test("A browser cannot open a backup with the keyring") func aBrowserUsesNoKeyring() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    try signer.operations.ask("backup/schedule", ["to": .string(place.path)], secrets: owner)
    try signer.operations.ask("backup/run")
    let refused = failure {
      try signer.operations.perform(
        ControlRequest("backup/verify", ["keyring": true], secrets: ["login": box("a guess")]), via: .console)
    }
    #expect(refused == .keyringIsNoProof)
  }

  @Test("A passphrase guessed at a backup counts and waits as one guessed at the vault")
  func aBackupIsNoPlaceToGuessThePassphrase() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let file: JSONValue = .string(place.path + "/one.hfb")
    try signer.operations.ask("backup/create", ["file": file])
    try expectCounting(signer, file, ["passphrase": "guess"])
  }

  /// Who sits at an open browser does not choose which files of this machine are written or read.
  @Test("The console receives a backup as data and cannot read or write files on the machine")
  func theConsoleGetsBytesAndNamesNoFile() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let made = try signer.operations.perform(
      ControlRequest("backup/create", ["file": .string(place.path + "/x")]), via: .console)
    #expect(place.names.isEmpty)
    let bytes = try unwrap(made["data"]?.string.flatMap { Base64.decode($0) })
    try Data(bytes).write(to: URL(fileURLWithPath: place.path + "/y"))
    #expect(try BackupFile(path: place.path + "/y").vaultID == signer.core.vault.id)
    #expect(throws: OperationError.self) {
      _ = try signer.operations.perform(ControlRequest("backup/verify", ["file": .string(place.path + "/y")]), via: .console)
    }
  }

  @Test("A locked signer gives a browser no backup, and makes one on its own machine")
  func whileLockedABrowserGetsNoBackup() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    signer.core.sessionLock.lock("a test")
    let refused = failure { try signer.operations.perform(ControlRequest("backup/create", [:]), via: .console) }
    #expect(refused?.exit == .locked && refused?.wantsUnlocking == true)
    try signer.operations.ask("backup/create", ["file": .string(place.path + "/one.hfb")])
    #expect(place.names.contains("one.hfb"))
  }

  @Test(
    "An address that is no usable place for backups is refused",
    arguments: [
      "http://cloud.example/x", "https://me:word@cloud.example/x", "relative", "s3://b", "ftp://x/", "https://cloud.example/../x",
    ])
  func whatIsNoPlaceIsRefused(to: String) throws {
    let signer = try Signer()
    defer { signer.close() }
    #expect(try exit(signer.operations, "backup/schedule", ["to": .string(to)], secrets: owner) == .usage)
    #expect(try signer.operations.ask("backup/plan")["plan"]?.isNull == true)
  }

  @Test("A backup plan's password is never shown and is deleted with the plan")
  func credentialsAreNeverShownAndGoWithThePlan() throws {
    let signer = try Signer()
    defer { signer.close() }
    try signer.operations.ask(
      "backup/schedule", ["to": "https://cloud.example/dav", "untested": true],
      secrets: ["user": box("me"), "password": box("canary word"), "passphrase": box(TestHome.passphrase)])
    let shown = String(decoding: try signer.operations.ask("backup/plan").serialized(), as: UTF8.self)
    #expect(!shown.contains("canary"))
    let kept = try unwrap(BackupCredential.load(from: signer.core.vault))
    #expect(kept.user == "me" && kept.password.withBytes { Array($0) } == Array("canary word".utf8))
    try signer.operations.ask("backup/schedule", ["off": true])
    #expect(try BackupCredential.load(from: signer.core.vault) == nil)
  }
}

/// Where sealed rows go is for the owner to say.
@Suite struct BackupPlaceTests {
  @Test("A new place for backups needs the owner's proof, and the planned one does not")
  func aNewPlaceNeedsTheOwnersProofAndTheKnownOneDoesNot() throws {
    let (signer, place, other) = (try Signer(), try Place(), try Place())
    defer { signer.close() }
    let (here, there): (JSONValue, JSONValue) = (["to": .string(place.path)], ["to": .string(other.path)])
    let wrong = ["passphrase": try box("wrong")]
    for operation in ["backup/schedule", "backup/create"] {
      #expect(exit(signer.operations, operation, there) == .usage)
      #expect(exit(signer.operations, operation, there, secrets: wrong) == .locked)
      #expect(exit(signer.operations, operation, ["to": .string(other.path), "keyring": true]) == .denied)
    }
    #expect(other.names.isEmpty)
    #expect(try signer.operations.ask("backup/plan")["plan"]?.isNull == true)
    try signer.operations.ask("backup/schedule", here, secrets: owner)
    #expect(exit(signer.operations, "backup/schedule", ["keep": 1]) == .usage)
    try signer.operations.ask("backup/run")
    try signer.operations.ask("backup/create", there, secrets: owner)
    #expect(place.names.count == 2 && other.names.count == 2)
    try signer.operations.ask("backup/schedule", ["off": true])
  }

  @Test("Settings of a schedule that are not given stay unchanged") func whatIsNotSaidOfAPlanStaysAsItWas() throws {
    let (signer, place, other) = (try Signer(), try Place(), try Place())
    defer { signer.close() }
    func schedule(_ given: JSONValue, _ more: [String: String] = [:]) throws -> JSONValue {
      let secrets = try more.mapValues { try box($0) }.merging(owner) { $1 }
      return try unwrap(signer.operations.ask("backup/schedule", given, secrets: secrets)["plan"])
    }
    _ = try schedule(["to": .string(place.path), "every": "6h", "keep": 3])
    try signer.operations.ask("backup/run")
    var plan = try schedule(["to": .string(other.path)])
    #expect(plan["every"]?.string == "6h" && plan["keep"]?.integer == 3 && plan["last"]?.isNull == true)
    plan = try schedule(["to": .string(place.path), "keep": 4])
    #expect(plan["every"]?.string == "6h" && plan["keep"]?.integer == 4)
    try signer.operations.ask("backup/run")
    plan = try schedule(["every": "2d"])
    #expect(plan["to"]?.string == place.path && plan["keep"]?.integer == 4 && plan["last"]?.integer ?? 0 > 0)
    _ = try schedule(["to": "https://cloud.example/dav", "untested": true], ["user": "me", "password": "word"])
    _ = try schedule(["to": "https://cloud.example/dav/", "keep": 9])
    #expect(try BackupCredential.load(from: signer.core.vault)?.user == "me")
    _ = try schedule(["to": "https://other.example/dav", "untested": true])
    #expect(try BackupCredential.load(from: signer.core.vault) == nil)
  }

  @Test("Verifying takes the newest backup of the plan and says what opens it")
  func verifySaysWhatOpensABackupAndTakesTheNewestOfThePlan() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    try signer.operations.ask(
      "slot/add", ["type": "passphrase", "label": "at home"],
      secrets: ["passphrase": box(TestHome.passphrase), "new_passphrase": box("another one")])
    try signer.operations.ask("backup/schedule", ["to": .string(place.path)], secrets: owner)
    for _ in 0..<2 { try signer.operations.ask("backup/run") }
    let names = place.names.filter { $0.hasSuffix(".hfb") }
    let found = try signer.operations.ask("backup/verify", secrets: owner)
    #expect(found["number"]?.integer == 2 && found["proven"]?.bool == true)
    #expect(found["slots"]?.array?.compactMap { $0["type"]?.string } == ["passphrase", "passphrase"])
    #expect(found["slots"]?.array?.last?["label"]?.string == "at home")
    let first = try unwrap(names.first)
    #expect(try signer.operations.ask("backup/verify", ["name": .string(first)], secrets: owner)["number"]?.integer == 1)
    #expect(exit(signer.operations, "backup/verify", ["name": "nothing.hfb"]) == .notFound)
    let wrong = failure { try signer.operations.ask("backup/verify", secrets: ["passphrase": box("wrong")]) }
    #expect(wrong?.hint?.contains("a passphrase") == true)
  }

  @Test("Doctor reports backups that are missing, late or failing") func doctorTellsOfBackupsThatFailOrAreLate() throws {
    func plan(_ members: JSONValue.Member...) -> JSONValue {
      let given = Set(members.map(\.key))
      let usual: [JSONValue.Member] = [
        .init("to", "/disk"), .init("every", "1d"), .init("made", 1_000), .init("last", 1_000_000), .init("failures", 0),
      ]
      return .object([.init("plan", .object(usual.filter { !given.contains($0.key) } + members))])
    }
    func verdict(_ answer: JSONValue?, after seconds: Int64 = 60) -> Finding.Verdict? {
      BackupChecks.findings(answer, now: 1_000_000 + seconds).first?.verdict
    }
    #expect(verdict(nil) == nil)
    #expect(verdict(["plan": .null]) == .warning)
    #expect(verdict(plan()) == .good)
    #expect(verdict(plan(), after: 86_400 + 40_000) == .good)
    #expect(verdict(plan(), after: 2 * 86_400) == .bad)
    #expect(verdict(plan(.init("failures", 1), .init("last_error", "it is full"))) == .warning)
    #expect(verdict(plan(.init("failures", 3), .init("last_error", "it is full"))) == .bad)
    #expect(verdict(plan(.init("last", .null))) == .bad)
    #expect(verdict(plan(.init("last", .null), .init("made", 1_000_000))) == .good)
  }
}
