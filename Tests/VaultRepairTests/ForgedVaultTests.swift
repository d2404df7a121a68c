import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import OwnerOperations
@testable import Signer
@testable import Vault
@testable import VaultRepair

/// A vault or a log that somebody prepared before its owner asks for a repair: the repair gives them nothing.
@Suite struct ForgedVaultTests {
  private static func credential() throws -> ShownCredential { ShownCredential(passphrase: try box(TestHome.passphrase)) }

  private static func repair(_ home: TestHome, isPlan: Bool = false) throws -> JSONValue {
    try Opening.repairVault(home: home.home, credential: credential(), isPlan: isPlan).json
  }

  private static func edit(_ home: TestHome, _ body: (Database) throws -> Void) throws {
    let database = try Database(path: home.path + "/vault.db")
    database.foldOnClose()
    try body(database)
  }

  private static func run(_ sql: StaticString, _ kind: RecordKind, in home: TestHome) throws {
    try edit(home) { database in
      let row = try database.prepare(sql)
      try row.bind(1, Int64(kind.rawValue))
      _ = try row.step()
    }
  }

  /// A record that nobody misses, so that a repair is asked for.
  private static func damageNote(in home: TestHome) throws {
    try run("UPDATE records SET sealed = zeroblob(99) WHERE kind = ?", .slotNote, in: home)
  }

  /// A home whose one paired app has full trust.
  private static func home() throws -> TestHome {
    let signer = try Signer()
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    signer.close()
    return signer.home
  }

  // MARK: an older vault that ran while it was locked

  /// Yesterday's vault and head of the log lie beside today's log; the keyring started the signer twice since.
  private static func runsOlderVault() throws -> TestHome {
    var signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    signer.close()
    let yesterday = try home.files()
    signer = try Signer(home)
    try signer.operations.ask("client/trust", ["client": "Lantern", "trust": "low"])
    signer.close()
    try home.core().close()
    for name in ["vault.db", "log/audit.head"] {
      try Data(try unwrap(yesterday[name])).write(to: URL(fileURLWithPath: home.path + "/" + name))
    }
    for _ in 0..<2 {
      let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
      for number in 0..<40 { try core.vault.transaction([.put(.setting, Array("change".utf8), [UInt8(number)])]) }
      core.close()
    }
    return home
  }

  @Test("A repair does not take an older vault that ran while locked for the newest") func olderWhileLocked() throws {
    let home = try Self.runsOlderVault()
    try Self.damageNote(in: home)
    let result = try Self.repair(home)
    #expect(result["doubt"]?.string?.contains("older than the log") == true)
    let core = try home.core()
    #expect(core.engine.pairings.allSatisfy { $0.grant.trust == .low && $0.grant.rules.isEmpty })
    core.close()
  }

  @Test(
    "Where the note of the state while locked is damaged or gone, nothing proves which vault is the newest",
    arguments: [true, false])
  func lostStateWhileLocked(isRemoved: Bool) throws {
    let home = try Self.runsOlderVault()
    let remove: StaticString = "DELETE FROM records WHERE kind = ?"
    try Self.run(isRemoved ? remove : "UPDATE records SET sealed = zeroblob(99) WHERE kind = ?", .setting, in: home)
    #expect(try Self.repair(home)["doubt"]?.string?.contains("setting") == true)
  }

  @Test("A different vault with the same number of changes is not taken for the newest") func otherVault() throws {
    let home = try Self.home()
    let copy = try home.files()
    let signer = try Signer(home)
    try signer.operations.ask("client/trust", ["client": "Lantern", "trust": "low"])
    signer.close()
    let known = try unwrap(AuditLog.headVault(folder: home.home.log))
    try Data(try unwrap(copy["vault.db"])).write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    let vault = try Vault.open(home: home.path, passphrase: secret(TestHome.passphrase), now: 1, kinds: .holdfast)
    try vault.raiseRevision(above: known.revision - 1)
    #expect(try unwrap(vault.mark).revision == known.revision)
    vault.close()
    try Self.damageNote(in: home)
    #expect(try Self.repair(home)["doubt"]?.string?.contains("contents differ") == true)
  }

  // MARK: the class of a key

  @Test("A key is not restored with an older, lower protection class of its words") func olderWords() throws {
    var signer = try Signer()
    let home = signer.home
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    let identity = try unwrap(signer.core.identities.all.first)
    signer.close()
    try Self.edit(home) { try $0.run("CREATE TABLE old AS SELECT * FROM records WHERE kind = 3") }
    var words: [[UInt8]] = []
    try Self.edit(home) { database in
      let row = try database.prepare("SELECT wrapped, sealed FROM old")
      #expect(try row.step())
      words = [row.bytes(0), row.bytes(1)]
      row.reset()
      try database.run("DROP TABLE old")
    }
    signer = try Signer(home)
    let held = HeldPresence(try signer.core.sessionLock.present(PassphraseOpener(box(TestHome.passphrase))))
    _ = try signer.core.identities.reclass(identity.publicKey, to: .devicePasscode, by: held)
    signer.close()
    try Self.edit(home) { database in
      let put = try database.prepare("UPDATE records SET class = 2, version = 1, wrapped = ?, sealed = ? WHERE kind = 3")
      try put.bind(1, words[0])
      try put.bind(2, words[1])
      _ = try put.step()
    }
    try Self.run("UPDATE records SET sealed = zeroblob(99) WHERE kind = ?", .identityKey, in: home)
    let result = try Self.repair(home)
    #expect(result["gone"] == [.string(identity.name)] && result["derived"] == [])
    let core = try home.core()
    #expect(core.identities.all.isEmpty)
    core.close()
  }

  @Test(
    "When nothing proves an identity's words, its apps must ask for everything, and a derived key is named with its class"
  )
  func unprovenWords() throws {
    let home = try Self.home()
    try Self.run("DELETE FROM records WHERE kind = ?", .identityWords, in: home)
    #expect(try Self.repair(home)["reset"] == ["Lantern"])
    let other = try Self.home()
    try Self.run("UPDATE records SET sealed = zeroblob(99) WHERE kind = ?", .identityKey, in: other)
    #expect(try Self.repair(other)["derived"]?.array?.first?.string?.hasSuffix("(class when-unlocked)") == true)
  }

  // MARK: a key that gave way to another

  /// A home whose identity gave way to another key.
  private static func rotatedHome() throws -> (home: TestHome, app: App, old: PublicKey) {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full", name: "Lantern")
    let old = try signer.identity.publicKey
    try signer.rotate(old)
    signer.close()
    return (signer.home, app, old)
  }

  /// Whether the app gets nothing signed by the key once the owner has resumed all.
  private static func expectRetired(_ home: TestHome, _ app: App, _ old: PublicKey) throws {
    let signer = try Signer(home)
    try signer.operations.ask("resume", secrets: ["passphrase": try box(TestHome.passphrase)])
    try signer.operations.ask("client/resume", ["client": "Lantern"])
    #expect(signer.core.isRetired(old))
    let answer = try signer.ask(app, "sign_event", [note()])
    if case .error(let text) = answer { #expect(text.contains("retired")) } else { Issue.record("signed: \(answer)") }
    #expect(exit(signer.operations, "sign", ["identity": .string(old.hex), "event": ["kind": 1, "content": "x"]]) == .denied)
    signer.close()
  }

  @Test("A rotated key signs nothing after a repair, even if the record of its rotation was removed")
  func rotatedKey() throws {
    let (home, app, old) = try Self.rotatedHome()
    try Self.run("DELETE FROM records WHERE kind = ?", .rotation, in: home)
    _ = try Self.repair(home)
    try Self.expectRetired(home, app, old)
  }

  @Test("A rotated key signs nothing when its identity's record is old, because the log knows of the rotation")
  func rotatedByTheLog() throws {
    let signer = try Signer()
    let home = signer.home
    let app = try signer.pairedApp(trust: "full", name: "Lantern")
    let old = try signer.identity.publicKey
    signer.close()
    let before = try home.files()
    let again = try Signer(home)
    try again.rotate(old)
    again.close()
    try Data(try unwrap(before["vault.db"])).write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    try Self.damageNote(in: home)
    _ = try Self.repair(home)
    try Self.expectRetired(home, app, old)
  }

  // MARK: times

  @Test("A timestamp up to 15 minutes ahead is not signed again after a repair") func datedAhead() throws {
    let signer = try Signer()
    let home = signer.home
    let identity = try unwrap(signer.core.identities.all.first).publicKey
    let now = Clock.seconds
    func event(_ text: String) -> EventTemplate { EventTemplate(createdAt: now + 600, kind: 10003, tags: [], content: text) }
    #expect(try signer.core.reserved(event("first"), identity, isApproved: false, now: now) != nil)
    signer.close()
    try Self.run("DELETE FROM records WHERE kind = ?", .signedCoordinate, in: home)
    _ = try Self.repair(home)
    let core = try home.core()
    #expect(try core.reserved(event("second"), identity, isApproved: false, now: now) == nil)
    #expect(try core.reserved(event("second"), identity, isApproved: false, now: now - 30) == nil, "nor by a clock a bit behind")
    let later = EventTemplate(createdAt: now + 1200, kind: 10003, tags: [], content: "later")
    #expect(try core.reserved(later, identity, isApproved: false, now: now + 1200) != nil)
    core.close()
  }

  @Test("After a repair the owner's own events are dated after every timestamp that may have been signed") func ownersEvents()
    throws
  {
    let signer = try Signer()
    let home = signer.home
    let identity = try unwrap(signer.core.identities.all.first).publicKey
    let profile = EventTemplate(createdAt: nil, kind: 0, tags: [], content: "me")
    let before = Clock.seconds
    _ = try signer.core.reserve(profile, of: identity, now: before)
    signer.close()
    try Self.damageNote(in: home)
    _ = try Self.repair(home)
    let core = try home.core()
    let event = try core.reserve(
      EventTemplate(createdAt: nil, kind: 0, tags: [], content: "again"), of: identity, now: Clock.seconds)
    #expect(try unwrap(event).createdAt > before + SigningTime.toleratedLead)
    core.close()
  }

  // MARK: rows that keep a repair from working

  @Test("No planted row stops a repair from working", arguments: RecordKinds.holdfast.all.filter { $0 != .summary })
  func plantedRow(kind: RecordKind) throws {
    let home = try Self.home()
    try Self.run("INSERT INTO records VALUES (?, randomblob(32), 4, 1, randomblob(72), randomblob(100))", kind, in: home)
    let plan = try Self.repair(home, isPlan: true)
    #expect(plan["damaged"]?.array?.isEmpty == false)
    _ = try Self.repair(home)
    let core = try home.core()
    #expect(core.identities.all.count == 1 && core.damagedView == nil)
    core.close()
  }

  @Test("A row in a class that its kind never uses counts as damaged") func otherClass() throws {
    let home = try Self.home()
    try Self.run("UPDATE records SET class = 4 WHERE kind = ?", .pairing, in: home)
    let plan = try Self.repair(home, isPlan: true)
    #expect(plan["damaged"]?.array?.contains { $0["kind"] == "pairing" && $0["row"]?.string != nil } == true)
    let session = try home.session()
    session.close()
  }

  @Test("A key whose class was changed to one that nothing opens is restored with its own class", arguments: [4, 5, 20])
  func movedKey(class other: Int64) throws {
    let home = try Self.home()
    try Self.edit(home) { database in
      let row = try database.prepare("UPDATE records SET class = ? WHERE kind = 2")
      try row.bind(1, other)
      _ = try row.step()
    }
    #expect(try Self.repair(home)["reset"] == ["Lantern"], "an older row may have been put there, too")
    let core = try home.core()
    let identity = try unwrap(core.identities.all.first)
    #expect(identity.protection == .whenUnlocked)
    #expect(try core.identities.keyPair(for: identity.publicKey).publicKey == identity.publicKey)
    core.close()
    #expect(failure { try Self.repair(home) } == .nothingDamaged)
  }

  @Test("After a repair that cannot prove the retention setting, no log content is dropped automatically")
  func olderRetention() throws {
    let signer = try Signer()
    try signer.core.vault.transaction([LogRetention.change(to: LogRetention.least)])
    signer.close()
    try Self.run(
      "INSERT INTO records VALUES (?, randomblob(32), 1, 1, randomblob(72), randomblob(100))", .setting, in: signer.home)
    #expect(try Self.repair(signer.home)["settings_reset"] == true)
    let core = try signer.home.core()
    #expect(try LogRetention.daily(core.vault) == nil)
    core.close()
  }

  // MARK: a log that somebody else made

  /// A log under keys of its own, whose head names a state of the vault.
  private static func plantLog(_ home: TestHome, revision: UInt64) throws {
    try FileManager.default.removeItem(atPath: home.home.log)
    let sealing = try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = 5 } }
    let signing = SecretBox(try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = 6 } })
    let keys = try unwrap(AuditKeys(sealing: sealing, signing: signing) { nil })
    let mark = VaultMark(revision: revision, generation: 1, digest: [UInt8](repeating: 1, count: 16))
    let log = try AuditLog.open(folder: home.home.log, keys: keys, anchor: nil, marks: VaultMarks { mark }, now: 1)
    log.followVault()
    try log.appendAndWait(.event(.daemonStarted))
    log.close()
    #expect(try AuditLog.headVault(folder: home.home.log)?.revision == revision)
  }

  @Test(
    "The head of a log that is not the vault's sets no revision", arguments: [UInt64.max, UInt64.max - 1, 1_000_000],
    [true, false])
  func forgedHead(revision: UInt64, isRenewal: Bool) throws {
    let home = try Self.home()
    try Self.plantLog(home, revision: revision)
    if isRenewal {
      _ = try Opening.renewLog(home: home.home, credential: Self.credential())
    } else {
      try Self.damageNote(in: home)
      _ = try Self.repair(home)
    }
    for _ in 0..<2 {
      let core = try home.core()
      #expect(try unwrap(core.vault.mark).revision < 1000)
      core.close()
    }
  }
}
