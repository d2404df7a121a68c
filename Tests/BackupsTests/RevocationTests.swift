import Ciphers
import Curve
import DaemonSupport
import Encodings
import Foundation
import Identities
import JSON
import ObjectStorage
import OwnerAPI
import Platform
import RemoteSigning
import SecretMemory
import Testing
import Vault

@testable import Backups
@testable import Doctor
@testable import OwnerOperations
@testable import Signer

/// What an older backup cannot know: the list of revocations beside it.
@Suite struct RevocationTests {
  /// A signer with two apps, a backup of it at its plan's place, and the first app revoked after that.
  private final class Revoked {
    let (signer, place) = (try! Signer(), try! Place())  // a test that cannot make them has failed
    let (gone, kept): (App, App)
    let first: String
    let listName: String

    init() throws {
      listName = BackupName.revocations(signer.core.vault.id)
      (gone, kept) = (try signer.pairedApp(trust: "full", name: "gone"), try signer.pairedApp(trust: "full", name: "kept"))
      try signer.operations.ask("backup/schedule", ["to": .string(place.path)], secrets: try owner)
      first = try unwrap(signer.operations.ask("backup/run")["plan"]?["name"]?.string)
    }

    func revoke() throws { try signer.operations.ask("client/revoke", ["client": .string(gone.key.publicKey.hex)]) }

    func restore(_ name: String? = nil) throws -> (JSONValue, TestHome) {
      let home = TestHome()
      let backup = try RestorableBackup(
        ReadableBackup(file: place.path + "/" + (name ?? first)), .passphrase(box(TestHome.passphrase)))
      return (BackupRestore.Response(try backup.restore(to: home.home, newPassphrase: nil, cost: .floor)).json, home)
    }
  }

  private func names(_ result: JSONValue, _ key: String) -> [String] { (result[key]?.array ?? []).compactMap(\.string) }

  @Test("An app that was revoked after the backup stays revoked after the restore and is told so")
  func anAppRevokedSinceIsGoneAfterTheRestoreOfAnOlderBackup() throws {
    let one = try Revoked()
    try one.revoke()
    one.signer.operations.services.backups.sendRevocations()
    one.signer.close()
    let (result, home) = try one.restore()
    #expect(names(result, "revoked") == ["gone"] && names(result, "suspended") == ["kept"])
    #expect(result["revocations"]?["state"]?.string == "read")
    let core = try home.core()
    defer { core.close() }
    #expect(core.engine.pairings.map(\.client) == [one.kept.key.publicKey])
    #expect(core.appNames[one.gone.key.publicKey] == "gone")
    #expect(core.revokedAt(one.gone.key.publicKey) != nil && core.revokedAt(one.kept.key.publicKey) == nil)
    // What was restored knows it from now on, and its next list says so.
    #expect(Services(core).backups.revocationCount() == 1)
    #expect(try core.vault.ids(.pairingKey).count == 2)
    #expect(core.engine.endedPairings.map(\.client) == [one.gone.key.publicKey], "its app is told")
  }

  @Test(
    "A program that was revoked after the backup stays known after the restore, so that no setting for new programs lets it in")
  func aRevokedProgramStaysKnown() throws {
    let (signer, place) = (try Signer(), try Place())
    let core = signer.core
    let identity = try #require(core.identities.defaultIdentity).publicKey
    let program = LocalCaller.program(CallingProgram(user: 1, path: "/opt/notes", digest: Bytes32()))
    let met = core.changingPairings { core.meet(program, named: "notes", identity: identity, grant: Grant(trust: .full)) }
    try signer.operations.ask("backup/schedule", ["to": .string(place.path)], secrets: try owner)
    let backup = try unwrap(signer.operations.ask("backup/run")["plan"]?["name"]?.string)
    #expect(core.expel(try #require(met).remoteSigner))
    signer.operations.services.backups.sendRevocations()
    signer.close()
    let home = TestHome()
    let found = try RestorableBackup(ReadableBackup(file: place.path + "/" + backup), .passphrase(box(TestHome.passphrase)))
    let result = BackupRestore.Response(try found.restore(to: home.home, newPassphrase: nil, cost: .floor)).json
    #expect(names(result, "revoked") == ["notes"])
    let restored = try home.core()
    defer { restored.close() }
    #expect(restored.engine.pairings.map(\.grant) == [.ofRevoked] && restored.engine.pairings.map(\.caller) == [program])
  }

  @Test("The revocation list is updated soon after a revocation, even while locked")
  func theListFollowsSoonAndAlsoWhileLocked() throws {
    let one = try Revoked()
    defer { one.signer.close() }
    try one.signer.operations.ask("lock")
    one.signer.operations.services.backups.serve()
    let before = try one.place.bytes(one.listName)
    try one.revoke()
    #expect(one.signer.operations.services.backups.isThreadOver(within: 20_000))
    #expect(try one.place.bytes(one.listName) != before)
    #expect(try one.signer.operations.services.backups.records.plan()?.revocationsSent == 1)
    #expect(one.place.names.filter { $0.hasSuffix(".hfb") } == [one.first])
  }

  @Test("A logout, a new pairing of the same app and a deleted identity each count as a revocation")
  func everyEndOfAPairingIsARevocation() throws {
    let signer = try Signer()
    defer { signer.close() }
    let (anew, out) = (try signer.pairedApp(name: "anew"), try signer.pairedApp(name: "out"))
    _ = try signer.pairedApp(name: "anew", key: anew.key)
    _ = try signer.ask(out, "logout", [])
    signer.settle()
    try signer.operations.ask("identity/create", ["name": "second"])
    _ = try signer.pairedApp(name: "other", identity: "second")
    try signer.operations.ask("identity/delete", ["name": "second"], secrets: try owner)
    let endings = try signer.operations.services.backups.revocations.entries().map(\.ending).sorted()
    #expect(endings == [PairingEnding.byApp, .replaced, .identityDeleted].map(\.rawValue).sorted())
  }

  @Test("A missing, older, damaged or foreign revocation list is reported, and all apps come back paused")
  func aListThatIsMissingOlderDamagedForeignOrEndlessIsSaidAndAppsComeBackSuspended() throws {
    let one = try Revoked()
    let old = try one.place.bytes(one.listName)
    try one.revoke()
    _ = try one.signer.operations.ask("backup/run")
    let new = try one.place.bytes(one.listName)
    one.signer.close()
    let other = try Revoked()
    let foreign = try other.place.bytes(other.listName)
    other.signer.close()
    var flipped = new
    flipped[new.count / 2] ^= 4
    let cases: [([UInt8]?, String)] = [
      (nil, "missing"), (old, "older"), (flipped, "damaged"), (foreign, "other-vault"), ([], "damaged"),
      (new + [0], "damaged"), (Array(new.dropLast()), "damaged"),
      ([UInt8](repeating: 7, count: RevocationList.maximumLength + 1), "damaged"),
    ]
    for (bytes, state) in cases {
      if let bytes {
        try one.place.write(bytes, one.listName)
      } else {
        try FileManager.default.removeItem(atPath: one.place.path + "/" + one.listName)
      }
      let (result, _) = try one.restore()
      #expect(result["revocations"]?["state"]?.string == state, "\(state)")
      #expect(Set(names(result, "suspended")) == ["gone", "kept"] && names(result, "revoked").isEmpty, "\(state)")
    }
  }

  @Test("A restore says when the revocation list is older than the backup, and keeps the backup's own revocations")
  func aBackupThatKnowsMoreThanTheListSaysSo() throws {
    let one = try Revoked()
    let old = try one.place.bytes(one.listName)
    try one.revoke()
    let newest = try unwrap(one.signer.operations.ask("backup/run")["plan"]?["name"]?.string)
    one.signer.close()
    try one.place.write(old, one.listName)
    let (result, home) = try one.restore(newest)
    #expect(result["revocations"]?["state"]?.string == "older" && names(result, "suspended") == ["kept"])
    let core = try home.core()
    defer { core.close() }
    #expect(Services(core).backups.revocationCount() == 1)
  }

  /// A place that sends gigabytes in the list's name.
  private struct Endless: FileStore {
    func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile] { [] }
    func put(_ path: String, as name: String, _ control: TransferControl) throws(ObjectStorageError) {}
    func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError) {}
    func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError) {}
    func get(
      _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(ObjectStorageError) {
      let piece = [UInt8](repeating: 0, count: 1 << 20)
      for _ in 0..<8192 { guard piece.withUnsafeBytes({ sink($0) }) else { throw .cancelled } }
      Issue.record("all of it was taken")
    }
  }

  @Test("An endless revocation list is refused and not read on") func ofAListWithoutEndNoMoreIsTakenThanAListMayHave() throws {
    #expect(try Endless().small("x", TransferControl()) == [])
    let signer = try Signer()
    defer { signer.close() }
    #expect(
      failure { _ = try signer.operations.services.backups.bringRevocations(to: Endless(), number: 1, TransferControl()) } != nil)
  }

  /// A second machine, or one that was restored without the list, does not make the place forget.
  @Test("An entry in the revocation list is never lost") func whatTheListKnowsIsNeverLost() throws {
    let one = try Revoked()
    try one.revoke()
    one.signer.operations.services.backups.sendRevocations()
    let list = try one.place.bytes(one.listName)
    try FileManager.default.removeItem(atPath: one.place.path + "/" + one.listName)
    one.signer.close()
    let (_, home) = try one.restore()
    try one.place.write(list, one.listName)
    let core = try home.core()
    defer { core.close() }
    let backups = Services(core).backups
    #expect(backups.revocationCount() == 0)
    backups.sendRevocations()
    backups.revocationsChanged()
    #expect(backups.revocationCount() == 1)
    // It names an app that is paired here: that stays as it is, suspended.
    #expect(core.engine.pairings.count == 2)
  }

  @Test("A place that does not accept the revocation list is reported and tried again")
  func aPlaceThatTakesNoListIsToldAndTriedAgain() throws {
    let one = try Revoked()
    defer { one.signer.close() }
    try FileManager.default.removeItem(atPath: one.place.path + "/" + one.listName)
    try FileManager.default.createDirectory(atPath: one.place.path + "/" + one.listName + "/x", withIntermediateDirectories: true)
    try one.revoke()
    one.signer.operations.services.backups.sendRevocations()
    let plan = try unwrap(one.signer.operations.services.backups.records.plan())
    #expect(plan.revocationsError != nil && plan.revocationsSent == 0)
    #expect(!one.signer.operations.services.backups.areRevocationsDue(plan))  // in a minute
    let found = BackupChecks.findings(try one.signer.operations.ask("backup/plan"), now: Clock.seconds)
    #expect(found.contains { $0.check == "backup-revocations" && $0.verdict == .warning })
    #expect(try one.signer.operations.ask("backup/run")["plan"]?["failures"]?.integer == 0)
  }

  @Test("A newer backup in the same folder is noticed, whatever its name")
  func aNewerBackupBesideIsNoticedWhateverItIsCalled() throws {
    let (signer, place) = (try Signer(), try Place())
    defer { signer.close() }
    for name in ["b.hfb", "a.hfb"] { try signer.operations.ask("backup/create", ["file": .string(place.path + "/" + name)]) }
    try place.write([1, 2, 3], "c.hfb")
    func newer(_ name: String) throws -> String? {
      try RestorableBackup(ReadableBackup(file: place.path + "/" + name), .passphrase(box(TestHome.passphrase))).newer()?.name
    }
    #expect(try newer("b.hfb") == "a.hfb")
    #expect(try newer("a.hfb") == nil)
    try place.write([1], BackupName.of(number: 9, madeAt: 1, vaultID: signer.core.vault.id))
    #expect(try newer("a.hfb")?.hasSuffix("-9.hfb") == true)
    try place.write([1], BackupName.of(number: 99, madeAt: 1, vaultID: [UInt8](repeating: 9, count: 16)))
    #expect(try newer("a.hfb")?.hasSuffix("-9.hfb") == true)
  }
}
