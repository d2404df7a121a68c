import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import Doctor
@testable import Identities
@testable import OwnerOperations
@testable import Signer
@testable import Vault
@testable import VaultRepair

/// A vault of which a record is damaged: the owner looks at it, saves what is whole, and goes on without the rest. Nobody gains by it.
@Suite struct DamagedVaultTests {
  private static func credential(_ words: String = TestHome.passphrase) throws -> ShownCredential {
    ShownCredential(passphrase: try box(words))
  }

  /// Two apps of full trust, one with a rule, one with a limit; an open link; settings of the owner's; something signed.
  private static func home() throws -> TestHome {
    let signer = try Signer()
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    _ = try signer.pairedApp(trust: "full", name: "Beacon")
    _ = try signer.appWithLink()
    try signer.operations.ask("client/deny", ["client": "Lantern", "permission": "sign_event:1"])
    try signer.operations.ask("client/limit", ["client": "Beacon", "per_minute": 5])
    try signer.operations.ask("policy/set", ["default_trust": "full", "follow_share": 90])
    try signer.operations.ask("identity/create", ["name": "second"])
    try signer.operations.ask("sign", ["event": #"{"kind":0,"created_at":1750000000,"tags":[],"content":"me"}"#])
    signer.close()
    return signer.home
  }

  private static func edit(_ home: TestHome, _ body: (Database) throws -> Void) throws {
    let database = try Database(path: home.path + "/vault.db")
    database.foldOnClose()
    try body(database)
  }

  private static func count(_ kind: RecordKind, in home: TestHome) throws -> Int64 {
    var found: Int64 = 0
    try edit(home) { database in
      let row = try database.prepare("SELECT count(*) FROM records WHERE kind = ?")
      try row.bind(1, Int64(kind.rawValue))
      _ = try row.step()
      found = row.integer(0)
    }
    return found
  }

  /// Changes one bit of one row of a kind, the first by default; of the summary, one of both rows.
  private static func damage(_ kind: RecordKind, in home: TestHome, isWrapped: Bool = true, row place: Int64 = 0) throws {
    if kind == .summary { return try edit(home) { try $0.run("UPDATE records SET sealed = zeroblob(80) WHERE kind = 0") } }
    try edit(home) { database in
      let row = try database.prepare("SELECT name, wrapped, sealed FROM records WHERE kind = ? ORDER BY name LIMIT 1 OFFSET ?")
      try row.bind(1, Int64(kind.rawValue))
      try row.bind(2, place)
      #expect(try row.step())
      let name = row.bytes(0)
      var bytes = row.bytes(isWrapped ? 1 : 2)
      bytes[30] ^= 1
      row.reset()
      let change = try database.prepare(
        isWrapped
          ? "UPDATE records SET wrapped = ? WHERE kind = ? AND name = ?"
          : "UPDATE records SET sealed = ? WHERE kind = ? AND name = ?")
      try change.bind(1, bytes)
      try change.bind(2, Int64(kind.rawValue))
      try change.bind(3, name)
      _ = try change.step()
    }
  }

  private static func perform(
    _ session: LocalSession, _ name: String, _ parameters: JSONValue = [:], secrets: [String: SecretBox] = [:]
  ) throws -> ControlResult { try session.perform(ControlRequest(name, parameters, secrets: secrets)) }

  private static func repair(_ home: TestHome, isPlan: Bool = false) throws -> JSONValue {
    try Opening.repairVault(home: home.home, credential: credential(), isPlan: isPlan).json
  }

  private static let kinds = RecordKinds.holdfast.all.filter {
    [
      .summary, .identity, .identityKey, .identityWords, .pairing, .pairingKey, .link, .setting, .logKey, .signedCoordinate,
      .slotNote,
    ].contains($0)
  }

  @Test("With one damaged record the owner can view, export and back up, and nothing else", arguments: kinds)
  func look(kind: RecordKind) throws {
    let home = try Self.home()
    try Self.damage(kind, in: home)
    let refused = failure { try home.core() }
    #expect(refused?.hint?.contains("holdfast vault repair") == true, "\(kind)")
    let session = try home.session()
    let list = try Self.perform(session, "identity/list")
    #expect((list["identities"]?.array?.count ?? 0) >= 1)
    #expect(list["vault_damaged"]?.string?.contains("damaged") == true)
    let name = try unwrap(list["identities"]?.array?.first?["name"]?.string)
    let secrets = ["passphrase": try box(TestHome.passphrase), "password": try box("another password")]
    let key = try Self.perform(session, "identity/export", ["name": .string(name), "log_n": 16], secrets: secrets)
    #expect(key["format"] == "ncryptsec")
    let file = home.path + ".hfb"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let made = try Self.perform(session, "backup/create", ["file": .string(file)])
    #expect(made["vault_damaged"]?.string != nil && FileManager.default.fileExists(atPath: file))
    for (operation, given) in [
      ("sign", ["event": #"{"kind":1,"content":"x"}"#]), ("client/resume", ["client": "Beacon"]),
      ("policy/set", ["default_trust": "full"]),
      ("identity/create", ["name": "third"]), ("resume", [:]), ("pair/new", [:]),
    ] as [(String, JSONValue)] {
      let refusal = failure { try Self.perform(session, operation, given, secrets: ["passphrase": try box(TestHome.passphrase)]) }
      #expect(refusal?.hint?.contains("holdfast vault repair") == true, "\(operation)")
    }
    session.close()
    #expect(!FileManager.default.fileExists(atPath: home.path + "/vault.db.salvaged"))
    let found = VaultChecks.closed(home.home, try Self.credential())
    #expect(found.contains { $0.verdict == .bad && $0.found.contains("\(kind.name)") }, "doctor names it: \(found)")
  }

  /// The moment at which a backup is needed.
  @Test("The owner verifies a good backup while the vault is damaged, and guesses are refused", arguments: kinds)
  func backupBesideTheDamage(kind: RecordKind) throws {
    let (home, place) = (try Self.home(), try Place())
    let file: JSONValue = .string(place.path + "/good.hfb")
    let before = try home.session()
    _ = try Self.perform(before, "backup/create", ["file": file])
    before.close()
    try Self.damage(kind, in: home)
    let session = try home.session()
    defer { session.close() }
    let found = try Self.perform(session, "backup/verify", ["file": file], secrets: try owner)
    #expect(found["proven"] == true && found["this_vault"] == true)
    let wrong = ["passphrase": try box("wrong")]
    #expect(failure { try Self.perform(session, "backup/verify", ["file": file], secrets: wrong) }?.exit == .locked)
  }

  @Test("A repair keeps all intact records, is recorded, and leaves apps suspended and the vault locked", arguments: kinds)
  func repaired(kind: RecordKind) throws {
    let home = try Self.home()
    let known = try unwrap(AuditLog.headVault(folder: home.home.log)).revision
    try Self.damage(kind, in: home, isWrapped: kind != .identity)
    let before = try unwrap(FileManager.default.contents(atPath: home.path + "/vault.db"))
    let plan = try Self.repair(home, isPlan: true)
    #expect(plan["damaged"]?.array?.isEmpty == false && plan["plan"] == true)
    #expect(FileManager.default.contents(atPath: home.path + "/vault.db") == before, "a plan changes nothing")
    #expect(
      failure { try Opening.repairVault(home: home.home, credential: Self.credential("wrong"), isPlan: false) }?.exit == .locked)
    let result = try Self.repair(home)
    let kept = try unwrap(result["kept"]?.string)
    #expect(FileManager.default.contents(atPath: kept)?.count == before.count)

    let core = try home.core()
    #expect(core.sessionLock.isSuspended && core.engine.openLinks.isEmpty && core.damagedView == nil)
    #expect(core.engine.pairings.allSatisfy { $0.grant.isSuspended })
    // The apps of an identity whose name was lost have to be paired anew. Which row is hit differs: a link has such a key, too.
    let left: [RecordKind: Set<Int>] = [.pairing: [1], .pairingKey: [1, 2], .identity: [0, 2]]
    #expect(left[kind, default: [2]].contains(core.engine.pairings.count))
    #expect(try unwrap(core.vault.foundMark).revision > known)
    #expect(core.identities.all.count == 2, "a key comes again from its words, an identity from its key")
    #expect(try core.identities.all.allSatisfy { try core.identities.keyPair(for: $0.publicKey).publicKey == $0.publicKey })
    #expect(try core.vault.examine().isSound)
    // Rules, or the class of a key, may be older where nothing proves that they are not.
    if [.pairing, .summary, .identityKey, .identityWords, .logKey, .setting].contains(kind) {
      #expect(core.engine.pairings.allSatisfy { $0.grant.trust == .low && $0.grant.rules.isEmpty })
    } else {
      #expect(core.engine.pairings.allSatisfy { $0.grant.trust == .full })
    }
    if [.setting, .summary, .logKey].contains(kind) {
      #expect(core.engine.policySettings.defaultTrust == .low && core.engine.policySettings.followShare == 0)
    }
    _ = try core.log.appendAndWait(.event(.daemonStarted))  // comes after those of the outbox
    let entries = try core.log.tail(50, matching: AuditFilter(kinds: [.vaultAccepted]))
    #expect(entries.map(\.entry.code) == [RepairedVault.code] && entries[0].entry.rule?.description.contains("without") == true)
    core.close()
    #expect(failure { try Self.repair(home) } == .nothingDamaged)
    let again = try home.core()
    #expect(try again.log.tail(50, matching: AuditFilter(kinds: [.vaultAccepted])).count == 1)
    again.close()
  }

  @Test("A repair reports that the log may be cut when any log record in the vault is damaged", arguments: 0..<4)
  func recordOfTheLog(row: Int64) throws {
    let home = try Self.home()
    #expect(try Self.count(.logKey, in: home) == 4)
    try Self.damage(.logKey, in: home, row: row)
    let plan = try Self.repair(home, isPlan: true)
    #expect(plan["doubt"]?.string?.contains("whether entries are missing at its end") == true, "\(plan)")
    _ = try Self.repair(home)
    let core = try home.core()
    #expect(core.engine.pairings.allSatisfy { $0.grant.trust == .low && $0.grant.rules.isEmpty })
    core.close()
  }

  @Test(
    "A removed row never makes a rule more permissive", arguments: [RecordKind.setting, .usage, .revocation, .signedCoordinate])
  func removedRow(kind: RecordKind) throws {
    let signer = try Signer()
    let home = signer.home
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    _ = try signer.pairedApp(trust: "full", name: "Gone")
    try signer.operations.ask("client/limit", ["client": "Lantern", "per_minute": 5])
    try signer.operations.ask("policy/set", ["default_trust": "low"])
    try signer.operations.ask("client/revoke", ["client": "Gone"])
    try signer.operations.ask("sign", ["event": #"{"kind":0,"created_at":1750000000,"tags":[],"content":"me"}"#])
    signer.core.saveUse()
    signer.close()
    try #require(try Self.count(kind, in: home) > 0 || kind == .usage)
    try Self.edit(home) { database in
      let row = try database.prepare("DELETE FROM records WHERE kind = ?")
      try row.bind(1, Int64(kind.rawValue))
      _ = try row.step()
    }
    try Self.damage(.slotNote, in: home)
    _ = try Self.repair(home)
    let core = try home.core()
    defer { core.close() }
    #expect(core.engine.pairings.map(\.name) == ["Lantern"] && core.engine.pairings[0].grant.isSuspended)
    #expect(core.engine.policySettings.defaultTrust == .low)
    #expect(try core.store.unknownCoordinatesClosed() != nil)
    #expect(try core.store.usage(of: core.engine.pairings[0].remoteSigner) != nil, "its limits count as used up")
  }

  @Test("An older row of a revoked app, restored beside a damaged one, does not pair it again") func revokedRow() throws {
    let signer = try Signer()
    let home = signer.home
    let app = try signer.pairedApp(trust: "full", name: "Lantern")
    signer.close()
    var row: [[UInt8]] = []
    var version: Int64 = 0
    try Self.edit(home) { database in
      let found = try database.prepare("SELECT name, wrapped, sealed, version FROM records WHERE kind = 4")
      #expect(try found.step())
      (row, version) = ([found.bytes(0), found.bytes(1), found.bytes(2)], found.integer(3))
    }
    let second = try Signer(home)
    try second.operations.ask("client/revoke", ["client": "Lantern"])
    second.close()
    try Self.edit(home) { database in
      let put = try database.prepare("INSERT INTO records VALUES (4, ?, 1, ?, ?, ?)")
      try put.bind(1, row[0])
      try put.bind(2, version)
      try put.bind(3, row[1])
      try put.bind(4, row[2])
      _ = try put.step()
    }
    try Self.damage(.slotNote, in: home)
    let result = try Self.repair(home)
    #expect(result["revoked"] == ["Lantern"])
    let core = try home.core()
    defer { core.close() }
    #expect(core.engine.pairings.isEmpty && core.sessionLock.isSuspended)
    _ = app
  }

  @Test("What was not let in, or was revoked, is not let in by a repair in doubt") func unmetStaysUnmet() throws {
    let signer = try Signer()
    let (home, core) = (signer.home, signer.core)
    let identity = try #require(core.identities.defaultIdentity).publicKey
    let program = LocalCaller.program(CallingProgram(user: 1, path: "/opt/notes", digest: Bytes32()))
    let link = LocalCaller.link(try #require(CallingLink(user: 1, callback: "https://evil.example")))
    let met = core.changingPairings {
      (
        core.meet(program, named: "notes", identity: identity, grant: Grant(trust: .full)),
        core.meet(link, named: "link", identity: identity, grant: .ofUnmet)
      )
    }
    #expect(core.expel(try #require(met.0).remoteSigner) && met.1 != nil)
    signer.close()
    try Self.damage(.summary, in: home)
    _ = try Self.repair(home)
    let repaired = try home.core()
    defer { repaired.close() }
    let grants = repaired.engine.pairings.map(\.grant)
    #expect(grants.count == 2 && grants.allSatisfy(\.isFirstUse) && grants.count(where: \.isRevoked) == 1)
  }

  @Test("An older vault with one damaged record is not taken for the newest", arguments: [false, true])
  func olderVault(isLogDamaged: Bool) throws {
    let home = try Self.home()
    let old = try Data(contentsOf: URL(fileURLWithPath: home.path + "/vault.db"))
    let signer = try Signer(home)
    try signer.operations.ask("client/revoke", ["client": "Lantern"])
    try signer.operations.ask("client/trust", ["client": "Beacon", "trust": "low"])
    signer.close()
    try old.write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    try Self.damage(.slotNote, in: home)
    if isLogDamaged { _ = try DamagedLog(of: home) }
    let result = try Self.repair(home)
    #expect(result["doubt"]?.string?.contains(isLogDamaged ? "cannot be read" : "older than the log") == true)
    #expect(result["log_lost"] == .bool(isLogDamaged) && result["settings_reset"] == true)
    if !isLogDamaged { #expect(result["revoked"] == ["Lantern"]) }
    let core = try home.core()
    #expect(core.sessionLock.isSuspended)
    #expect(core.engine.pairings.allSatisfy { $0.grant.trust == .low && $0.grant.rules.isEmpty && $0.grant.isSuspended })
    core.close()
  }

  @Test(
    "Where the record of how far the log went is damaged or gone, a log that was cut is not continued", arguments: [false, true])
  func lostAnchor(isGone: Bool) throws {
    let home = try Self.home()
    let copy = home.path + ".log"
    try FileManager.default.copyItem(atPath: home.home.log, toPath: copy)
    let signer = try Signer(home)
    try signer.operations.ask("client/revoke", ["client": "Lantern"])
    signer.close()
    try FileManager.default.removeItem(atPath: home.home.log)
    try FileManager.default.moveItem(atPath: copy, toPath: home.home.log)
    try Self.edit(home) { database in
      if isGone {
        try database.run("DELETE FROM records WHERE kind = 11 AND length(sealed) > 80")
      } else {
        try database.run("UPDATE records SET sealed = zeroblob(200) WHERE kind = 11 AND length(sealed) > 80")
      }
    }
    let result = try Self.repair(home)
    #expect(result["log_lost"] == true && result["log_kept"]?.string != nil)
    #expect(result["doubt"]?.string?.contains("record of the log's length is lost") == true)
    let core = try home.core()
    #expect(core.engine.pairings.allSatisfy { $0.grant.trust == .low })
    core.close()
  }

  @Test("When nothing proves which header is newest, the owner is told to check every way to unlock") func lostSummary() throws {
    let home = try Self.home()
    try Self.damage(.summary, in: home)
    #expect(try Self.repair(home, isPlan: true)["doubt"]?.string?.contains("newest") == true)
  }

  @Test("With a lost summary the log can be shown and records exports, before and after the repair")
  func logBesideLostSummary() throws {
    let home = try Self.home()
    try Self.damage(.summary, in: home)
    let session = try home.session()
    #expect(try Self.perform(session, "log/show")["entries"]?.array?.isEmpty == false)
    let secrets = ["password": try box("one of its own"), "passphrase": try box(TestHome.passphrase)]
    let export = try Self.perform(session, "identity/export", ["name": "main", "log_n": 16], secrets: secrets)
    #expect(export["vault_damaged"]?.string?.contains("nowhere") == false)
    session.close()
    #expect(try Self.repair(home)["log_lost"] == false)
    let core = try home.core()
    defer { core.close() }
    #expect(try core.log.tail(9, matching: AuditFilter(kinds: [.keyExported])).count == 1)
    #expect(core.sessionLock.isSuspended)
  }

  @Test("A log that cannot be continued is not shown as empty, and an export warns that it is not recorded")
  func lookWithoutLog() throws {
    let home = try Self.home()
    try Self.damage(.logKey, in: home)
    let session = try home.session()
    defer { session.close() }
    for operation in ["log/show", "log/export", "log/verify"] {
      let refused = failure { try Self.perform(session, operation) }
      #expect(refused?.error.contains("The log cannot be shown") == true, "\(operation)")
    }
    #expect(try Self.perform(session, "client/list")["vault_damaged"]?.string?.contains("is not recorded") == true)
  }

  @Test("A panic on a damaged vault says that it is not stored in the vault") func panicWhileLooking() throws {
    let home = try Self.home()
    try Self.damage(.slotNote, in: home)
    let session = try home.session()
    defer { session.close() }
    let done = try Self.perform(session, "panic")
    #expect(done["stored"] == false && done["suspended"] == true)
  }

  @Test("A lost log key is named, a new log begins, and the old one is kept") func lostLogKey() throws {
    let home = try Self.home()
    try Self.edit(home) { try $0.run("DELETE FROM records WHERE kind = 11") }
    let result = try Self.repair(home)
    #expect(result["log_lost"] == true)
    let kept = try unwrap(result["log_kept"]?.string)
    #expect(FileManager.default.fileExists(atPath: kept + "/audit.log"))
    let core = try home.core()
    #expect(core.sessionLock.isSuspended)
    _ = try core.log.appendAndWait(.event(.daemonStarted))
    #expect(try core.log.tail(9, matching: AuditFilter(kinds: [.vaultAccepted])).count == 1)
    core.close()
  }

  @Test("The keyring alone cannot repair a vault") func keyring() throws {
    let home = try Self.home()
    try Self.damage(.slotNote, in: home)
    #expect(
      failure { try Opening.repairVault(home: home.home, credential: ShownCredential(TestKeyring()), isPlan: true) }
        == .keyringIsNoProof)
  }

  @Test("A signer with a damaged vault runs suspended, says so, and cannot be resumed") func runningSigner() throws {
    let home = try Self.home()
    try Self.damage(.setting, in: home)
    let core = try Opening.openOrViewDamage(home: home.home, credential: Self.credential())
    #expect(core.damagedView != nil && core.sessionLock.isSuspended)
    let operations = Operations(home: core, Services(core), running: nil)
    #expect(try operations.ask("status")["vault_damaged"]?.string?.contains("setting") == true)
    #expect(
      failure { try operations.ask("resume", secrets: ["passphrase": try box(TestHome.passphrase)]) }?.hint?.contains(
        "vault repair") == true)
    #expect(try operations.ask("doctor/vault")["damaged"]?.array?.isEmpty == false)
    core.close()
    #expect(!FileManager.default.fileExists(atPath: home.path + "/suspended"), "looking leaves no trace")
    let kept = try home.files().keys.filter { $0.hasPrefix("vault.db") }
    #expect(Set(kept) == ["vault.db"])
  }
}
