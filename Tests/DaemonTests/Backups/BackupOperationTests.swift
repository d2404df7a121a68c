import AuditLog
import Ciphers
import Curve
import Encodings
import Foundation
import JSON
import LocalAccess
import Locks
import RemoteSigning
import SecretMemory
import Testing
import Transfers
import Vault

@testable import Daemon

@Suite struct BackupOperationTests {
  /// A folder that is gone at the end.
  private final class Place {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-backups-\(UUID().uuidString)").path
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  }

  private func restore(_ file: String, _ home: TestHome, _ words: String = TestHome.passphrase) throws -> JSONValue {
    try Opening.restoreBackup(file: file, home: home.home, proof: .passphrase(box(words)), newPassphrase: nil, cost: .floor)
  }

  /// A server that takes everything and sends back far more.
  private final class EndlessStore: FileStore {
    let pieces = Locked(0)
    func list(_ control: TransferControl) throws(TransferFault) -> [StoredFile] { [] }
    func put(_ path: String, as name: String, _ control: TransferControl) throws(TransferFault) {}
    func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(TransferFault) {}
    func delete(_ name: String, _ control: TransferControl) throws(TransferFault) {}
    func get(
      _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(TransferFault) {
      let piece = [UInt8](repeating: 0, count: 1 << 20)
      for _ in 0..<32 {
        pieces.change { $0 += 1 }
        guard piece.withUnsafeBytes({ sink($0) }) else { throw .cancelled }
      }
    }
  }

  @Test func aServerThatSendsOnAndOnDoesNotFillTheDisk() throws {
    let signer = try Signer()
    let store = EndlessStore()
    #expect(failure { _ = try signer.core.backups.deliver(to: store, keep: nil, "test") }?.exit == .failed)
    #expect(store.pieces.withLock { $0 } == 1)
    #expect(try signer.entries(.backupMade).isEmpty)
    signer.close()
  }

  @Test func anAppComesBackSuspendedEvenThoughItWasRevokedSince() throws {
    let (signer, place) = (try Signer(), try Place())
    let app = try signer.pairedApp(trust: "full")
    let file = place.path + "/old.hfb"
    try signer.operations.ask("backup/create", ["file": .string(file)])
    try signer.operations.ask("client/revoke", ["client": .string(app.key.publicKey.hex)])
    signer.close()
    let home = TestHome()
    let result = try restore(file, home)
    #expect(result["suspended"]?.array?.count == 1)
    let core = try home.core()
    defer { core.close() }
    let pairing = try unwrap(core.engine.pairings.first)
    #expect(pairing.grant.isSuspended && pairing.client == app.key.publicKey)
  }

  @Test func oneTimeStateIsBurnt() throws {
    let (signer, place) = (try Signer(), try Place())
    try signer.operations.ask("pair/new")
    let vault = signer.core.vault
    try vault.transaction([
      .put(.pushSubscription, [1], [1]), .put(.passkey, [2], [2]), .put(.shareRequest, [3], [3]),
      .put(.pendingRequest, [61, 4], [4]),
    ])
    let oldKey = try vault.secret(kind: .logKey, id: Array("sealing".utf8)).withBytes { Array($0) }
    let file = place.path + "/one.hfb"
    try signer.operations.ask("backup/create", ["file": .string(file)])
    signer.close()
    let home = TestHome()
    #expect(try restore(file, home)["dropped"]?.integer ?? 0 >= 5)
    let core = try home.core()
    defer { core.close() }
    for kind in [RecordKind.link, .linkKey, .pendingRequest, .pushSubscription, .passkey, .shareRequest, .pushKey] {
      #expect(try core.vault.ids(kind).isEmpty, "\(kind)")
    }
    #expect(core.engine.openLinks.isEmpty)
    #expect(try core.vault.secret(kind: .logKey, id: Array("sealing".utf8)).withBytes { Array($0) } != oldKey)
    let first = try unwrap(core.log.tail(10).last)
    #expect(first.sequence == 1 && first.entry.kind == .backupRestored && first.entry.amount == 1)
  }

  @Test func whatAnAppMayUseUpIsUsedUp() throws {
    let limits = RequestLimits(perMinute: 2, perHour: nil, perDay: 7)
    let usage = Usage(spending: Grant(trust: .full, limits: limits), since: 1_000)
    #expect(usage.used(.minute, at: 1_001) == 2 && usage.used(.day, at: 1_001) == 7 && usage.used(.hour, at: 1_001) == 0)
    #expect(usage.used(.minute, at: 1_061) == 0)
  }

  @Test func aPlanBringsBackupsReadsThemBackAndKeepsSoMany() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    try Data([1]).write(to: URL(fileURLWithPath: place.path + "/photo.jpg"))
    try signer.operations.ask("backup/schedule", ["to": .string(place.path), "every": "1h", "keep": 2])
    var names: [String] = []
    for _ in 0..<4 { names.append(try unwrap(signer.operations.ask("backup/run")["plan"]?["name"]?.string)) }
    #expect(Set(place.names) == Set(names.suffix(2) + ["photo.jpg"]))
    let listed = try unwrap(signer.operations.ask("backup/list")["backups"]?.array)
    #expect(listed.compactMap { $0["name"]?.string } == names.suffix(2).reversed())
    #expect(listed.first?["verified"]?.bool == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: signer.core.home.path).allSatisfy { !$0.hasPrefix("backup") })
  }

  @Test func aPlaceThatIsGoneIsToldAndNothingIsRemoved() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    try signer.operations.ask("backup/schedule", ["to": .string(place.path + "/disk"), "keep": 1])
    for round in 1...3 {
      #expect(exit(signer.operations, "backup/run") == .failed)
      let plan = try unwrap(signer.operations.ask("backup/plan")["plan"])
      #expect(plan["failures"]?.integer == Int64(round) && plan["last_error"]?.string?.contains("no such place") == true)
    }
    #expect(try signer.entries(.incidentMinor).count == 1)
  }

  @Test func aBackupThatOnlyTheOwnerCanOpenIsRemembered() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let file: JSONValue = .string(place.path + "/one.hfb")
    try signer.operations.ask("backup/create", ["file": file])
    #expect(try signer.operations.ask("backup/verify", ["file": file])["proven"]?.bool == false)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.isNull == true)
    let found = try signer.operations.ask("backup/verify", ["file": file], secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(found["proven"]?.bool == true && found["this_vault"]?.bool == true)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.integer ?? 0 > 0)
    #expect(throws: OperationFailure.self) {
      try signer.operations.ask("backup/verify", ["file": file], secrets: ["passphrase": box("wrong")])
    }
    #expect(try signer.entries(.backupVerified).count == 2)
  }

  /// Who sits at an open browser does not choose which files of this machine are written or read.
  @Test func theConsoleGetsBytesAndNamesNoFile() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    let made = try signer.operations.perform(
      ControlRequest("backup/create", ["file": .string(place.path + "/x")]), via: .console)
    #expect(place.names.isEmpty)
    let bytes = try unwrap(made["data"]?.string.flatMap { Base64.decode($0) })
    try Data(bytes).write(to: URL(fileURLWithPath: place.path + "/y"))
    #expect(try BackupFile(path: place.path + "/y").vaultID == signer.core.vault.id)
    #expect(throws: OperationFailure.self) {
      _ = try signer.operations.perform(ControlRequest("backup/verify", ["file": .string(place.path + "/y")]), via: .console)
    }
  }

  @Test(arguments: [
    "http://cloud.example/x", "https://me:word@cloud.example/x", "relative", "s3://b", "ftp://x/", "https://cloud.example/../x",
  ]) func whatIsNoPlaceIsRefused(to: String) throws {
    let signer = try Signer()
    defer { signer.close() }
    #expect(exit(signer.operations, "backup/schedule", ["to": .string(to)]) == .usage)
    #expect(try signer.operations.ask("backup/plan")["plan"]?.isNull == true)
  }

  @Test func credentialsAreNeverShownAndGoWithThePlan() throws {
    let signer = try Signer()
    defer { signer.close() }
    try signer.operations.ask(
      "backup/schedule", ["to": "https://cloud.example/dav"], secrets: ["user": box("me"), "password": box("canary word")])
    let shown = String(decoding: try signer.operations.ask("backup/plan").serialized(), as: UTF8.self)
    #expect(!shown.contains("canary"))
    let kept = try unwrap(BackupCredential.load(from: signer.core.vault))
    #expect(kept.user == "me" && kept.password.withBytes { Array($0) } == Array("canary word".utf8))
    try signer.operations.ask("backup/schedule", ["off": true])
    #expect(try BackupCredential.load(from: signer.core.vault) == nil)
  }
}
