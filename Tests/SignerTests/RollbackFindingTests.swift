import AuditLog
import Ciphers
import Curve
import DaemonSupport
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

@testable import Backups
@testable import Doctor
@testable import Identities
@testable import OwnerOperations
@testable import Signer
@testable import Vault
@testable import VaultRepair

/// Yesterday's `vault.db` beside today's log.
@Suite struct PutBackTests {
  private static func credential(_ words: String = TestHome.passphrase) throws -> ShownCredential {
    ShownCredential(passphrase: SecretBox(try secret(words)))
  }

  /// The files of a home; of a running signer, as a kill would leave them.
  private static func copy(_ home: TestHome) throws -> [String: [UInt8]] { try home.files() }

  private static func write(_ files: [String: [UInt8]], _ names: [String], to home: TestHome) throws {
    for name in names {
      let path = home.path + "/" + name
      guard let bytes = files[name] else {
        try? FileManager.default.removeItem(atPath: path)
        continue
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }

  /// A home whose vault was put back as it was before `change`.
  private static func putBack(
    _ names: [String] = Self.vault, before: (Signer) throws -> Void = { _ in }, change: (Signer) throws -> Void
  ) throws -> TestHome {
    var signer = try Signer()
    let home = signer.home
    try before(signer)
    signer.close()
    let yesterday = try copy(home)
    signer = try Signer(home)
    try change(signer)
    signer.close()
    try write(yesterday, names, to: home)
    return home
  }

  private static let vault = ["vault.db", "vault.db-wal"]
  private static let log = ["log/audit.log", "log/audit.head"]

  private func expectShut(_ home: TestHome, _ words: String = TestHome.passphrase) throws -> String {
    let refusal = try unwrap(failure { try home.core(words) })
    #expect(refusal.exit == .locked && refusal.error.contains("Nothing is signed"), "\(refusal)")
    #expect(refusal.hint?.contains("holdfast vault accept") == true)
    #expect(failure { try home.session(words) } != nil, "nor by the owner's command")
    let found = VaultChecks.closed(home.home, try Self.credential(words))
    #expect(found.contains { $0.check == "vault-put-back" && $0.verdict == .bad }, "doctor names it")
    return refusal.error
  }

  @Test("A revoked app cannot sign again after an older vault is restored") func revokedApp() throws {
    var signer = try Signer()
    let home = signer.home
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    _ = try signer.pairedApp(trust: "full", name: "Beacon")
    signer.close()
    let yesterday = try Self.copy(home)
    signer = try Signer(home)
    try signer.operations.ask("client/revoke", ["client": "Lantern"])
    signer.close()
    let today = try Self.copy(home)

    try Self.write(yesterday, Self.vault, to: home)
    // However often it is opened, it never becomes newer than the log knows.
    for _ in 0..<12 { #expect(try expectShut(home).contains("“Lantern”")) }
    let seen = try Opening.checkVault(home: home.home, credential: Self.credential()).json
    #expect(seen["ok"] == false && seen["sort"] == "older")
    #expect(seen["missing"]?.array?.contains { $0["entry"] == "unpaired" && $0["client_name"] == "Lantern" } == true)

    // The right file back: it opens, and the owner resumes.
    let older = try Self.copy(home)
    try Self.write(today, Self.vault, to: home)
    let right = try home.core()
    #expect(right.engine.pairings.map(\.name) == ["Beacon"] && right.sessionLock.isSuspended)
    right.close()

    // Or the older one is accepted.
    try Self.write(older, Self.vault, to: home)
    _ = try expectShut(home)
    #expect(failure { try Opening.acceptVault(home: home.home, credential: Self.credential("wrong horse")) }?.exit == .locked)
    _ = try expectShut(home)
    let accepted = try Opening.acceptVault(home: home.home, credential: Self.credential()).json
    #expect(accepted["revoked"] == ["Lantern"] && accepted["suspended"] == ["Beacon"])
    let core = try home.core()
    #expect(core.engine.pairings.map(\.name) == ["Beacon"] && core.sessionLock.isSuspended)
    #expect(core.engine.pairings.allSatisfy { $0.grant.isSuspended })
    #expect(try core.log.tail(9, matching: AuditFilter(kinds: [.vaultAccepted])).count == 1)
    core.close()
    #expect(failure { try Opening.acceptVault(home: home.home, credential: Self.credential()) } == .nothingPutBack)
    // And the one of today is older now than what was accepted.
    try Self.write(today, Self.vault, to: home)
    _ = try expectShut(home)
  }

  @Test("A rotated identity signs nothing after an older vault is accepted")
  func rotatedSince() throws {
    let (home, old) = try Self.rotatedAndPutBack()
    let accepted = try Opening.acceptVault(home: home.home, credential: Self.credential()).json
    #expect(accepted["missing"]?.array?.contains { $0["entry"] == "identityRotated" } == true)
    let core = try home.core()
    #expect(core.isRetired(old))
    #expect(core.identities.all.map(\.isRetired) == [true])
    core.close()
  }

  @Test("A rotated identity signs nothing, even when many entries follow the rotation in the log")
  func rotatedLongSince() throws {
    let (home, old) = try Self.rotatedAndPutBack { signer in for _ in 0...10 { signer.fillLog() } }
    _ = try Opening.acceptVault(home: home.home, credential: Self.credential())
    let core = try home.core()
    #expect(core.isRetired(old))
    core.close()
  }

  /// An older vault, put back since its identity gave way to another key.
  private static func rotatedAndPutBack(then more: (Signer) throws -> Void = { _ in }) throws -> (TestHome, old: PublicKey) {
    var old: PublicKey?
    let home = try putBack { signer in
      old = try signer.identity.publicKey
      try signer.rotate(unwrap(old))
      try more(signer)
    }
    return (home, try unwrap(old))
  }

  @Test("A timestamp signed after the older vault was saved is not signed again once it is accepted") func signedSince() throws {
    func sign(_ signer: Signer, at time: Int64) throws {
      let event = #"{"kind":0,"created_at":\#(time),"tags":[],"content":"first"}"#
      try signer.operations.ask("sign", ["event": .string(event)])
    }
    let time = Clock.milliseconds / 1000 - 100
    let home = try Self.putBack {
      try sign($0, at: time)
    } change: {
      try sign($0, at: time + 1)
    }
    _ = try expectShut(home)
    _ = try Opening.acceptVault(home: home.home, credential: Self.credential())
    let core = try home.core()
    let place = try unwrap(core.vault.records(.signedCoordinate).first)
    var signed = try SignedCoordinate(record: place.value)
    let second = UnsignedEvent(pubkey: signed.identity, createdAt: time + 1, kind: 0, tags: [], content: "second")
    #expect(signed.add(second, isApproved: true, now: time + 100) == .taken)
    core.close()
  }

  @Test("A timestamp is not signed again for a replaceable event that the older vault does not know") func unknownPlace()
    throws
  {
    let time = Clock.milliseconds / 1000 - 100
    func sign(_ signer: Signer, _ content: String, at time: Int64) throws {
      let event = #"{"kind":10003,"created_at":\#(time),"tags":[],"content":"\#(content)"}"#
      try signer.operations.ask("sign", ["event": .string(event)])
    }
    let home = try Self.putBack { try sign($0, "first", at: time) }
    _ = try expectShut(home)
    _ = try Opening.acceptVault(home: home.home, credential: Self.credential())
    let core = try home.core()
    defer { core.close() }
    let (identity, now) = (try unwrap(core.identities.all.first).publicKey, Clock.seconds)
    func reserved(at time: Int64, isApproved: Bool = false) throws -> UnsignedEvent? {
      try core.reserved(
        EventTemplate(createdAt: time, kind: 10003, tags: [], content: "second"), identity, isApproved: isApproved, now: now)
    }
    #expect(try reserved(at: time) == nil)
    #expect(try reserved(at: time, isApproved: true) != nil, "the owner knows what he says yes to")
    #expect(try reserved(at: now + 1) != nil)
  }

  @Test("A clock years ahead while an older vault is accepted does not block events for years") func clockAhead() throws {
    let signer = try Signer()
    defer { signer.close() }
    let core = signer.core
    try core.vault.transaction([Store.closingUnknownCoordinates(upTo: Clock.seconds + 315_360_000)])
    let (identity, now) = (try unwrap(core.identities.all.first).publicKey, Clock.seconds)
    let article = EventTemplate(createdAt: now + 1, kind: 30023, tags: [["d", "x"]], content: "text")
    #expect(try core.reserved(article, identity, isApproved: false, now: now) != nil)
  }

  @Test("Opening an older vault without checking the log does not make it count as newer") func openings() throws {
    let home = try Self.putBack { _ = try $0.pairedApp(trust: "full", name: "Lantern") }
    for _ in 0..<8 { _ = try Opening.verifyLog(home: home.home, credential: Self.credential()) }
    // Nor while a program that can write the folder keeps the log from being read.
    let (log, aside) = (home.path + "/log/audit.log", home.path + "/aside")
    try FileManager.default.moveItem(atPath: log, toPath: aside)
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    for _ in 0..<4 { #expect(failure { try home.core() }?.exit == .failed) }
    try FileManager.default.removeItem(atPath: log)
    try FileManager.default.moveItem(atPath: aside, toPath: log)
    _ = try expectShut(home)
  }

  @Test("An older vault does not undo a panic") func panic() throws {
    let home = try Self.putBack(Self.vault + ["suspended"]) { try $0.operations.ask("panic") }
    #expect(try expectShut(home).contains("everything shut"))
    _ = try Opening.acceptVault(home: home.home, credential: Self.credential())
    let core = try home.core()
    #expect(core.sessionLock.isSuspended)
    core.close()
  }

  @Test("An older vault with an old passphrase does not start the signer") func oldPassphrase() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let yesterday = try Self.copy(home)
    let session = try home.session()
    _ = try session.perform(
      ControlRequest(
        "slot/passphrase", [:], secrets: ["passphrase": try box(TestHome.passphrase), "new_passphrase": try box("new horse")]))
    session.close()
    try Self.write(yesterday, Self.vault, to: home)
    #expect(try expectShut(home).contains("passphrase changed"))
  }

  @Test("After wrong passphrases on another copy of the vault, everything stays suspended until the owner resumes")
  func attempts() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let before = try Self.copy(home)
    for _ in 0..<2 { _ = failure { try home.core("wrong horse") } }
    try Self.write(before, Self.vault, to: home)
    let core = try home.core()
    #expect(
      core.sessionLock.isSuspended
        && core.sessionLock.remarks.first?.contains("2 wrong passphrases were tried on another copy") == true)
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)), resuming: true)
    #expect(!core.sessionLock.isSuspended, "one word of the owner is enough")
    core.close()
    let again = try home.core()
    #expect(!again.sessionLock.isSuspended && again.sessionLock.remarks.isEmpty, "told once")
    again.close()
    #expect(
      failure { _ = try Opening.acceptVault(home: home.home, credential: Self.credential()) }?.error.contains("nothing to accept")
        == true)
  }

  @Test("Trying the new passphrase on an older vault does not make the newest vault count as older") func newestComesBack() throws
  {
    let signer = try Signer()
    let home = signer.home
    let old = try Self.copy(home)
    signer.close()
    try home.core().close()
    let newest = try Self.copy(home)
    try Self.write(old, Self.vault, to: home)
    _ = failure { try home.core("the newer horse") }
    try Self.write(newest, Self.vault, to: home)
    let core = try home.core()
    #expect(core.sessionLock.isSuspended && core.sessionLock.remarks.first?.hasPrefix("1 wrong passphrase was") == true)
    core.close()
    #expect(try Opening.checkVault(home: home.home, credential: Self.credential()).json["ok"]?.bool == true)
  }

  @Test("Starting with the keyring does not hide wrong passphrases tried on another copy", arguments: [false, true])
  func keyringHidesNothing(isHonest: Bool) throws {
    let signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    signer.close()
    let before = try Self.copy(home)
    for _ in 0..<2 { _ = failure { try home.core("wrong horse") } }
    if !isHonest { try Self.write(before, Self.vault, to: home) }
    for _ in 0..<2 { try Opening.open(home: home.home, credential: ShownCredential(TestKeyring())).close() }
    let core = try home.core()
    #expect(core.sessionLock.isSuspended == !isHonest)
    #expect(core.sessionLock.remarks.contains { $0.hasPrefix("2 wrong passphrases were tried on another copy") } == !isHonest)
    if !isHonest { try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)), resuming: true) }
    core.close()
    let again = try home.core()
    #expect(!again.sessionLock.isSuspended && again.sessionLock.remarks.isEmpty, "told once")
    again.close()
  }

  @Test("A wrong and then a correct passphrase on a running signer raise no alarm") func shownToARunningSigner() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let core = try home.core()
    _ = failure { _ = try core.sessionLock.present(PassphraseOpener(box("wrong horse"))) }
    _ = try core.log.appendAndWait(.event(.daemonStarted))  // so that the attempt's entry is not the last one
    _ = try core.sessionLock.present(PassphraseOpener(box(TestHome.passphrase)))
    core.close()
    let again = try home.core()
    #expect(!again.sessionLock.isSuspended && again.sessionLock.remarks.isEmpty)
    again.close()
  }

  @Test("Wrong passphrases followed by a correct one raise no alarm when an earlier copy of the vault exists")
  func endedAttempts()
    throws
  {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let core = try home.core()
    let before = try Self.copy(home)
    core.sessionLock.lock("a test")
    for _ in 0..<2 { _ = failure { try core.sessionLock.unlock(PassphraseOpener(box("wrong horse"))) } }
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    let killed = try Self.copy(home)
    core.close()
    try Self.write(before, Self.vault, to: home)
    try Self.write(killed, Self.log, to: home)
    let again = try home.core()
    #expect(!again.sessionLock.isSuspended && again.sessionLock.remarks.isEmpty)
    again.close()
  }

  @Test("Wrong passphrases, a correct one and then a kill raise no alarm") func honestAttempts() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    for _ in 0..<2 { _ = failure { try home.core("wrong horse") } }
    // Opened, and ended before the log had its entry.
    let vault = try Opening.vault(home.home, Self.credential())
    #expect(vault.failedAttempts == 2)
    vault.close()
    try home.core().close()
  }

  @Test("Killing the signer at any point raises no alarm") func aKillRaisesNoAlarm() throws {
    let signer = try Signer()
    let home = signer.home
    var states: [[String: [UInt8]]] = []
    let app = try signer.pairedApp(trust: "full", name: "Lantern")
    states.append(try Self.copy(home))
    _ = try signer.ask(app, "sign_event", [note()])
    states.append(try Self.copy(home))
    signer.core.saveUse()
    states.append(try Self.copy(home))
    signer.core.noteLog()
    states.append(try Self.copy(home))
    try signer.operations.ask("client/revoke", ["client": "Lantern"])
    states.append(try Self.copy(home))
    signer.close()
    for (number, state) in states.enumerated() {
      try Self.write(state, Self.vault + Self.log, to: home)
      #expect(failure { try home.core().close() } == nil, "state \(number)")
    }
  }

  @Test("A rollback that only the last log entries show is found at unlock, before a key is used") func lockedStart() throws {
    var signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    signer.close()
    let yesterday = try Self.copy(home)
    signer = try Signer(home)
    _ = try signer.appWithLink()  // its entry is no reason to write the head
    signer.settle()
    let killed = try Self.copy(home)
    signer.close()

    try Self.write(killed, Self.vault + Self.log, to: home)
    try Self.write(yesterday, Self.vault + ["log/audit.head"], to: home)
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    #expect(core.vault.isLocked)
    #expect(failure { _ = try core.sessionLock.present(PassphraseOpener(box(TestHome.passphrase))) } == .unlockFirst)
    let refusal = failure { try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase))) }
    #expect(refusal?.exit == .locked && refusal?.error.contains("older than the log") == true)
    #expect(core.vault.isLocked && core.sessionLock.isLocked && core.sessionLock.isSuspended && core.sessionLock.isShut)
    core.close()
    _ = try expectShut(home)
    // What the head says is enough for a start while locked.
    #expect(failure { try Opening.open(home: home.home, credential: ShownCredential(TestKeyring())) }?.exit == .locked)
    #expect(failure { try Opening.acceptVault(home: home.home, credential: ShownCredential(TestKeyring())) } == .keyringIsNoProof)
  }

  @Test(
    "An older vault changed by a locked signer does not become the newest, even with a log head of its day",
    arguments: [1, 60])
  func lockedChanges(count: Int) throws {
    var signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    signer.close()
    let yesterday = try Self.copy(home)
    signer = try Signer(home)
    for _ in 0..<5 { signer.core.noteLog() }
    try signer.operations.ask("client/revoke", ["client": "Lantern"])
    signer.close()
    try home.core().close()

    try Self.write(yesterday, Self.vault + ["log/audit.head"], to: home)
    for _ in 0..<2 {
      let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
      #expect(core.vault.isLocked && core.sessionLock.isShut)
      for number in 0..<count {
        try core.vault.transaction([.put(.setting, Array("change".utf8), [UInt8(number)])])
        try core.log.appendAndWait(.event(.daemonStarted))
      }
      core.close()
    }
    let doctor = VaultChecks.closed(home.home, try Self.credential())
    #expect(doctor.contains { $0.check == "vault-put-back" && $0.verdict != .good })
    #expect(try expectShut(home).contains("“Lantern”"))
    #expect(try Opening.acceptVault(home: home.home, credential: Self.credential()).json["revoked"] == ["Lantern"])
  }

  @Test("A killed signer that starts locked and makes changes raises no alarm when it is unlocked")
  func honestLockedStart()
    throws
  {
    let signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    _ = try signer.appWithLink()
    signer.settle()
    let killed = try Self.copy(home)
    signer.close()
    try Self.write(killed, Self.vault + Self.log, to: home)
    for isUnlocked in [false, true] {
      let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
      #expect(core.sessionLock.isShut)
      core.noteLog()
      if isUnlocked { try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase))) }
      core.noteLog()
      core.close()
    }
    let core = try home.core()
    #expect(!core.sessionLock.isSuspended && core.sessionLock.remarks.isEmpty)
    core.close()
    #expect(try Opening.checkVault(home: home.home, credential: Self.credential()).json["ok"] == true)
  }

  @Test(
    "Until a locked start has read the whole log, no change is made that an older vault could undo", arguments: [false, true])
  func lockedRunChangesNothing(isKilled: Bool) throws {
    var signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    signer.close()
    let yesterday = try Self.copy(home)
    signer = try Signer(home)
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    _ = try signer.appWithLink()
    signer.settle()
    let killed = try Self.copy(home)
    signer.close()
    if isKilled {
      try Self.write(killed, Self.vault + Self.log, to: home)
    } else {
      try Self.write(yesterday, ["log/audit.head"], to: home)
    }
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    let operations = Operations(home: core, Services(core), running: nil)
    #expect(core.log.hasUnread && core.sessionLock.isShut)
    #expect(failure { try operations.ask("client/revoke", ["client": "Lantern"]) } == .unlockFirst)
    #expect(failure { try operations.ask("client/trust", ["client": "Lantern", "trust": "low"]) } == .unlockFirst)
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    try operations.ask("client/revoke", ["client": "Lantern"])
    let entries = try core.log.tail(20, matching: AuditFilter(kinds: [.unpaired]))
    #expect(entries.count <= 1)
    core.close()
    try Self.write(killed, Self.vault, to: home)
    // Found at an unlocking: what it finds changes nothing, either.
    let found = try? Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    if let found {
      _ = failure { try found.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase))) }
      #expect(
        failure {
          try Operations(home: found, Services(found), running: nil).ask("client/rename", ["client": "Lantern", "name": "x"])
        } != nil)
      found.close()
    }
    #expect(try expectShut(home).contains("“Lantern”"), "the earlier vault is found")
  }

  @Test("A panic before a locked start has read the log holds, even with the earlier vault file") func lockedPanic() throws {
    let signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    _ = try signer.appWithLink()
    signer.settle()
    let killed = try Self.copy(home)
    signer.close()
    try Self.write(killed, Self.vault + Self.log, to: home)
    try Opening.open(home: home.home, credential: ShownCredential(TestKeyring())).close()
    let before = try Self.copy(home)
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    _ = try Operations(home: core, Services(core), running: nil).ask("panic")
    core.close()
    try Self.write(before, Self.vault + ["suspended"], to: home)
    let again = try home.core()
    #expect(again.sessionLock.isSuspended)
    again.close()
  }

  @Test("A restored vault ignores findings about its old log") func restoredMark() throws {
    let signer = try Signer()
    let mark = try unwrap(VaultMark(revision: 5000, generation: 1, digest: [UInt8](repeating: 1, count: 16)))
    try signer.core.vault.transaction([.put(.setting, StateWhileLocked.setting, mark.bytes)])
    let place = TestHome()
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
    let file = place.path + "/keys.hfb"
    try signer.operations.ask("backup/create", ["file": .string(file)])
    signer.close()
    let home = TestHome()
    _ = try RestorableBackup(ReadableBackup(file: file), .passphrase(box(TestHome.passphrase)))
      .restore(to: home.home, newPassphrase: nil, cost: .floor)
    let fresh = try Self.copy(home)
    let core = try home.core()
    for number in 0..<20 { try core.vault.transaction([.put(.setting, Array("x".utf8), [UInt8(number)])]) }
    core.close()
    try home.core().close()
    try Self.write(fresh, Self.vault, to: home)
    _ = try expectShut(home)
  }

  @Test("A different vault with the same number of changes is detected") func fork() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let yesterday = try Self.copy(home)
    func change(_ name: String) throws {
      let vault = try Vault.open(
        home: home.path, passphrase: secret(TestHome.passphrase), now: Clock.milliseconds, kinds: .holdfast)
      try vault.transaction([.put(.setting, Array(name.utf8), [1])])
      let log = try Opening.log(home.home, vault, now: Clock.milliseconds)
      log.followVault()
      log.close()
      vault.close()
    }
    try change("one")
    let logs = try Self.copy(home)
    try Self.write(yesterday, Self.vault + Self.log, to: home)
    try change("two")
    try Self.write(logs, Self.log, to: home)
    #expect(try expectShut(home).contains("their contents differ"))
  }

  @Test("Restoring the whole home folder is detected by a checkpoint stored elsewhere") func wholeHome() throws {
    var signer = try Signer()
    let home = signer.home
    let elsewhere = TestHome()
    try FileManager.default.createDirectory(atPath: elsewhere.path, withIntermediateDirectories: true)
    let file = CheckpointFile(path: elsewhere.path + "/checkpoint")
    signer.close()
    let yesterday = try Self.copy(home)
    signer = try Signer(home)
    #expect(try file.compare(signer.core.log, home.home)?.contains("no checkpoint at") == true, "the owner is told")
    signer.close()
    #expect(file.keep(signer.core.log))
    signer = try Signer(home)
    #expect(try file.compare(signer.core.log, home.home) == nil)
    #expect(!signer.core.sessionLock.suspension.isMarked)
    signer.close()

    try Self.write(yesterday, Self.vault + Self.log, to: home)
    let core = try home.core()  // by itself it is as it was
    let refusal = failure { try file.compare(core.log, home.home) }
    #expect(refusal?.exit == .locked && refusal?.error.contains("older than the checkpoint") == true)
    #expect(core.sessionLock.suspension.isMarked)
    #expect(file.finding(home.home).verdict == .bad, "doctor says it, too")
    // A history of as many entries that are others.
    for _ in 0..<40 { try core.log.appendAndWait(.event(.daemonStarted)) }
    #expect(failure { try file.compare(core.log, home.home) }?.error.contains("does not continue from the checkpoint") == true)
    core.close()
    let other = try Signer()
    #expect(failure { try file.compare(other.core.log, other.home.home) }?.error.contains("belongs to another log") == true)
    other.close()
  }

  @Test("A log head that cannot be written is reported, and no older head is stored as a checkpoint") func failingHead() throws {
    let signer = try Signer()
    let home = signer.home
    let elsewhere = TestHome()
    try FileManager.default.createDirectory(atPath: elsewhere.path, withIntermediateDirectories: true)
    let file = CheckpointFile(path: elsewhere.path + "/checkpoint")
    signer.core.noteLog()
    #expect(file.keep(signer.core.log) && !signer.core.log.isHeadFailing)
    let head = home.home.log + "/audit.head"
    let before = try Data(contentsOf: URL(fileURLWithPath: head))
    try FileManager.default.removeItem(atPath: head)
    try FileManager.default.createDirectory(atPath: head, withIntermediateDirectories: false)
    _ = try signer.appWithLink()
    signer.settle()
    signer.core.noteLog()
    #expect(signer.core.log.isHeadFailing)
    #expect(!file.keep(signer.core.log) && file.isFailing, "the checkpoint is not of now")
    try FileManager.default.removeItem(atPath: head)
    try before.write(to: URL(fileURLWithPath: head))
    _ = try signer.appWithLink()
    signer.settle()
    signer.core.noteLog()
    #expect(!signer.core.log.isHeadFailing && file.keep(signer.core.log))
    signer.close()
  }

  @Test("A missing, empty or foreign checkpoint refuses the start but suspends nothing") func awayCheckpoint() throws {
    let signer = try Signer()
    let home = signer.home
    defer { signer.close() }
    let away = CheckpointFile(path: home.path + ".disk/checkpoint")
    #expect(failure { try away.compare(signer.core.log, home.home) }?.error.contains("could not be read") == true)
    let path = home.path + ".empty"
    defer { unlink(path) }
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(failure { try CheckpointFile(path: path).compare(signer.core.log, home.home) }?.error.contains("it is empty") == true)
    try Data("somebody else's".utf8).write(to: URL(fileURLWithPath: path))
    #expect(
      failure { try CheckpointFile(path: path).compare(signer.core.log, home.home) }?.error.contains("no checkpoint") == true)
    #expect(!signer.core.sessionLock.suspension.isMarked)
  }

  @Test("A checkpoint that cannot be written is reported as a problem until it can be") func failingCheckpoint() throws {
    let signer = try Signer()
    defer { signer.close() }
    let folder = TestHome()
    let file = CheckpointFile(path: folder.path + "/checkpoint")
    #expect(!file.isFailing && !file.keep(signer.core.log) && file.isFailing)
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    #expect(file.keep(signer.core.log) && !file.isFailing)
  }

  @Test("A new log does not make an older vault valid") func aNewLogChangesNothing() throws {
    var signer = try Signer()
    let home = signer.home
    signer.close()
    let yesterday = try Self.copy(home)
    signer = try Signer(home)
    signer.close()
    try Self.write(yesterday, Self.vault, to: home)
    #expect(failure { try Opening.renewLog(home: home.home, credential: Self.credential()) }?.exit == .locked)
    _ = try expectShut(home)
  }

  @Test("A home of an earlier version, whose log has no vault state, opens without alarm") func nothingKnown() throws {
    let mark = try unwrap(VaultMark(revision: 3, generation: 1, digest: [UInt8](repeating: 1, count: 16)))
    let known = mark
    #expect(RollbackFinding.compare(nil, with: nil) == nil && RollbackFinding.compare(mark, with: nil) == nil)
    #expect(RollbackFinding.compare(mark, with: known) == nil)
    #expect(RollbackFinding.compare(nil, with: known) == RollbackFinding(sort: .older, found: 0, known: 3))
    let newer = try unwrap(VaultMark(revision: 4, generation: 1, digest: [UInt8](repeating: 2, count: 16)))
    #expect(RollbackFinding.compare(newer, with: known) == nil)
  }
}
