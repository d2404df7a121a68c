import AuditLog
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import OwnerOperations
@testable import Signer
@testable import Vault

@Suite("The vault and the log agree") struct OutboxTests {
  private static let changes: [(operation: String, parameters: JSONValue, entry: AuditEntry.Kind)] = [
    ("client/trust", ["client": "Lantern", "trust": "medium"], .grantChanged),
    ("client/allow", ["client": "Lantern", "permission": "sign_event:1"], .grantChanged),
    ("client/deny", ["client": "Lantern", "permission": "sign_event:1"], .grantChanged),
    ("client/limit", ["client": "Lantern", "per_day": 5], .grantChanged),
    ("client/rename", ["client": "Lantern", "name": "Lamp"], .grantChanged),
    ("client/revoke", ["client": "Lantern"], .unpaired),
    ("identity/create", ["name": "second"], .identityCreated),
    ("identity/rename", ["name": "main", "to": "first"], .identityRenamed),
    ("policy/set", ["default_trust": "low"], .settingChanged),
    ("session/set", ["lock_after": 600], .settingChanged),
  ]

  /// The records of the vault but those of the outbox.
  private static func records(_ vault: Vault) throws -> [String] {
    try RecordKinds.holdfast.all.filter { !$0.isSecret && $0 != .outbox && $0 != .summary && $0 != .slotNote }.flatMap { kind in
      try vault.records(kind).map { "\(kind) \($0.id) \($0.value)" }
    }
  }

  private static func scene(_ home: TestHome = TestHome()) throws -> Signer {
    let signer = try Signer(home)
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    signer.settle()
    return signer
  }

  private func rows(_ vault: Vault) throws -> [OutboxRow] { try vault.records(.outbox).map { try unwrap(OutboxRow($0)) } }

  @Test("Recorded changes leave the vault together, soon after the log has them") func asksToClear() throws {
    let signer = try Self.scene()
    let outbox = signer.core.outbox
    outbox.clear(isEnd: true)
    let asked = Locked(0)
    outbox.whenClearable { asked.change { $0 += 1 } }
    for name in ["Lamp", "Lantern", "Lamp"] {
      let other = name == "Lamp" ? "Lantern" : "Lamp"
      try signer.operations.ask("client/rename", ["client": .string(other), "name": .string(name)])
    }
    #expect(asked.wait(milliseconds: 10_000) { $0 == 1 ? true : nil } == true)
    outbox.clear(isEnd: true)
    #expect(try rows(signer.core.vault).isEmpty && asked.withLock { $0 } == 1, "asked once for all three")
    try signer.operations.ask("client/rename", ["client": "Lamp", "name": "Lantern"])
    #expect(asked.wait(milliseconds: 10_000) { $0 == 2 ? true : nil } == true)
    signer.close()
  }

  @Test("Changes are refused when too many wait for the log") func soManyWaitAndNoMore() throws {
    let signer = try Self.scene()
    let (vault, outbox) = (signer.core.vault, signer.core.outbox)
    signer.core.log.close()
    func change(_ entries: Int, _ value: UInt8) -> Bool {
      outbox.recorded(Array(repeating: AuditEntry.event(.settingChanged), count: entries)) {
        (try? vault.transaction([.put(.setting, Array("a test".utf8), [value])])) != nil
      }
    }
    #expect(change(Outbox.mostWaiting, 1))
    #expect(!change(1, 2))
    #expect(try vault.value(.setting, id: Array("a test".utf8)) == [1])
    signer.close()
  }

  @Test("A change made while the log fails is recorded once at the next start", arguments: changes.indices)
  func carriedOver(index: Int) throws {
    let change = Self.changes[index]
    let signer = try Self.scene()
    signer.core.log.close()
    try signer.operations.ask(change.operation, change.parameters)
    #expect(try rows(signer.core.vault).map(\.entry.kind) == [change.entry])
    signer.close()
    for _ in 0..<2 {
      let again = try signer.home.core()
      again.outbox.clear(isEnd: true)
      let found = try again.log.tail(50, matching: AuditFilter(kinds: [change.entry])).map(\.entry)
      #expect(found.count == (change.entry == .identityCreated ? 2 : 1), "\(found)")
      if change.entry == .identityCreated { #expect(found.last?.identity == again.identities.find("second")?.publicKey) }
      #expect(try rows(again.vault).isEmpty)
      again.close()
    }
  }

  @Test("An entry that reached the log before a crash is not written twice")
  func writtenOnce() throws {
    let signer = try Self.scene()
    let vaultNames = ["vault.db", "vault.db-wal"]
    try signer.operations.ask("client/rename", ["client": "Lantern", "name": "Lamp"])
    try signer.operations.ask("client/rename", ["client": "Lamp", "name": "Lantern"])
    signer.settle()  // the log has them
    let killed = try signer.home.files()
    #expect(try !rows(signer.core.vault).isEmpty)
    signer.close()
    for name in vaultNames + ["log/audit.log", "log/audit.head"] {
      let path = signer.home.path + "/" + name
      if let bytes = killed[name] { try Data(bytes).write(to: URL(fileURLWithPath: path)) } else { unlink(path) }
    }
    let core = try signer.home.core()
    core.outbox.clear(isEnd: true)
    #expect(try core.log.tail(50, matching: AuditFilter(kinds: [.grantChanged])).count == 2)
    #expect(try rows(core.vault).isEmpty)
    core.close()
  }

  @Test(
    "On a full disk whose vault finds room in its own recycled log, a change is refused or recorded", arguments: changes.indices)
  func fullDisk(index: Int) throws {
    let change = Self.changes[index]
    let home = TestHome()
    #expect(mkdir(home.path, 0o700) == 0)
    guard mount("tmpfs", home.path, "tmpfs", 0, "size=32m,mode=700") == 0 else { return try unrecordable(index: index) }
    defer { umount2(home.path, 2) }  // 2: MNT_DETACH
    let signer = try Self.scene(home)
    let known = try signer.entries(change.entry).count
    // Until SQLite writes from the beginning of its log again.
    for number in 0..<1_500 {
      try signer.core.vault.transaction([.put(.setting, Array("room".utf8), Array(repeating: UInt8(number % 251), count: 4000))])
    }
    let ballast = home.path + "/ballast"
    let file = open(ballast, O_WRONLY | O_CREAT, 0o600)
    let zeros = [UInt8](repeating: 0, count: 4096)
    while write(file, zeros, zeros.count) > 0 {}
    Platform.close(file)
    var (done, refusal): (Int, OperationError?) = (0, nil)
    // The room that was taken ahead for entries is used up before anything is refused.
    while done < 2_000, refusal == nil {
      _ = signer.core.log.anchor()  // a head that is being written takes room for a moment
      refusal = failure { try signer.operations.ask("client/rename", ["client": "Lantern", "name": "Lantern"]) }
      if refusal == nil { done += 1 }
    }
    #expect(done > 10 && refusal?.hint?.contains(/room|space/) == true, "\(done) \(refusal as Any)")
    _ = signer.core.log.anchor()
    let before = try Self.records(signer.core.vault)
    #expect(failure { try signer.operations.ask(change.operation, change.parameters) }?.exit == .failed)
    #expect(try Self.records(signer.core.vault) == before)
    #expect(try signer.entries(.grantChanged).count == done + (change.entry == .grantChanged ? known : 0), "each that was done")
    #expect(unlink(ballast) == 0)
    try signer.operations.ask(change.operation, change.parameters)
    signer.core.outbox.clear(isEnd: true)
    #expect(try signer.entries(change.entry).count == known + 1 + (change.entry == .grantChanged ? done : 0))
    signer.close()
    #expect(try AuditLog.verify(folder: home.home.log).fault == nil)
  }

  private func unrecordable(index: Int) throws {
    let signer = try Self.scene()
    signer.core.log.close()
    for _ in 0..<Outbox.mostWaiting { try signer.operations.ask("client/rename", ["client": "Lantern", "name": "Lantern"]) }
    let refusal = failure { try signer.operations.ask(Self.changes[index].operation, Self.changes[index].parameters) }
    #expect(refusal?.error.contains("Nothing was changed") == true)
    signer.close()
  }

  @Test("After a crash, older entries wait until unlock while the log cannot be read, and new ones do not")
  func lockedStart() throws {
    let signer = try Self.scene()
    try TestKeyring.add(to: signer)
    signer.core.log.close()
    try signer.operations.ask("client/rename", ["client": "Lantern", "name": "one"])
    signer.close()
    let core = try Opening.open(home: signer.home.home, credential: ShownCredential(TestKeyring()))
    let operations = Operations(home: core, Services(core), running: nil)
    try operations.ask("client/suspend", ["client": "one"])
    core.outbox.clear(isEnd: true)
    #expect(try rows(core.vault).count == 1)
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    core.outbox.clear(isEnd: true)
    let rules = try core.log.tail(50, matching: AuditFilter(kinds: [.grantChanged])).map(\.entry.time)
    #expect(rules.count == 2)
    #expect(try rows(core.vault).isEmpty)
    core.close()
  }

  @Test("The change of class keys is recorded with the change itself") func rotation() throws {
    let signer = try Self.scene()
    try signer.operations.ask("slot/rotate", secrets: ["passphrase": try box(TestHome.passphrase)])
    #expect(try rows(signer.core.vault).map(\.entry.kind).contains(.classKeysRotated), "in the same transaction")
    #expect(try signer.entries(.classKeysRotated).count == 1)
    signer.close()
  }

  @Test("A failed change is not recorded as done, even if the failure suspends everything") func failedChange() throws {
    let signer = try Self.scene()
    for _ in 0..<14 {
      _ = failure {
        try signer.operations.shownStep(PassphraseOpener(box("wrong")), saying: .event(.passphraseChanged)) {
          () throws(KeyStoreError) in throw KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)
        }
      }
    }
    #expect(signer.core.sessionLock.isSuspended)
    #expect(try signer.entries(.passphraseChanged).isEmpty)
    // Shut, nothing of the vault can be read before it is opened again.
    let again = try signer.reopened()
    #expect(try !rows(again.core.vault).map(\.entry.kind).contains(.passphraseChanged))
    again.close()
  }

  @Test("A change without its own transaction is recorded, too") func withoutTransaction() throws {
    let signer = try Self.scene()
    try signer.core.outbox.recording(.event(.settingChanged, rule: "a file")) {}
    #expect(try signer.entries(.settingChanged).count == 1)
    signer.close()
  }

  @Test("Changes from many threads are recorded once each") func parallel() throws {
    let signer = try Self.scene()
    let apps = try (0..<8).map { try signer.pairedApp(trust: "low", name: "app \($0)") }
    #expect(apps.count == 8)
    let before = try signer.entries(.grantChanged).count
    inParallel(8) { thread in
      for round in 0..<10 {
        _ = try? signer.operations.ask(
          "client/trust", ["client": .string("app \(thread)"), "trust": round % 2 == 0 ? "medium" : "low"])
      }
    }
    signer.core.outbox.clear(isEnd: true)
    #expect(try signer.entries(.grantChanged).count == before + 80)
    #expect(try rows(signer.core.vault).isEmpty)
    signer.close()
  }

  @Test("A row reads back as it was written, and invalid rows are refused") func codec() throws {
    let entry = AuditEntry.event(.grantChanged, rule: "trust low")
    let row = OutboxRow(number: 7, log: (Bytes32((0..<32).map { UInt8($0) }) ?? Bytes32(), 9), entry: entry)
    guard case .put(_, let id, .bytes(let value), _) = row.change else { throw Missing() }
    let back = try unwrap(OutboxRow(Record(id: id, value: value)))
    #expect(back.number == 7 && back.log == row.log && back.entry == entry)
    for length in 0..<value.count { #expect(OutboxRow(Record(id: id, value: Array(value.prefix(length)))) == nil) }
    #expect(OutboxRow(Record(id: id + [0], value: value)) == nil && OutboxRow(Record(id: id, value: value + [0])) == nil)
  }
}
