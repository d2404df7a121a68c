import AuditLog
import DaemonSupport
import Identities
import JSON
import Nostr
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Mnemonics
@testable import OwnerOperations
@testable import Signer

@Suite struct RecoveryKitTests {
  static let nsec = "205bca3ea9b689f896f387ad2842f29f454c5f1acc5b9c7ae6ecbba8efcd7d7a"

  private static let vaultKit: JSONValue = ["threshold": 2, "shares": 3]

  private func create(
    _ signer: Signer, _ parameters: JSONValue = ["threshold": 2, "shares": 3, "identity": "main"],
    passphrase: String? = TestHome.passphrase
  ) throws -> JSONValue {
    try signer.operations.ask(
      "recovery/create", parameters, secrets: passphrase.map { ["passphrase": try box($0)] } ?? [:])
  }

  private func words(_ kit: JSONValue) -> [String] { (kit["shares"]?.array ?? []).compactMap(\.string) }

  private func test(_ signer: Signer, _ shares: [String]) throws -> JSONValue {
    try signer.operations.ask("recovery/test", secrets: ["shares": try box(shares.joined(separator: "\n"))])
  }

  @Test("Enough shares of an identity's kit restore its key in another vault")
  func enoughSharesOfAnIdentityGiveItsKeyInAnotherVault() throws {
    let signer = try Signer()
    let kit = try create(signer)
    #expect(words(kit).count == 3 && words(kit).allSatisfy { $0.split(separator: " ").count == 20 })
    #expect(kit["kit"]?["for"]?.string == "main" && kit["kit"]?["last_tested"]?.isNull == true)
    #expect(try signer.entries(.recoveryCreated).map(\.identity) == [try signer.identity.publicKey])
    let other = try Signer()
    let answer = try other.operations.ask(
      "recovery/restore", ["name": "again", "npub": try unwrap(kit["kit"]?["npub"])],
      secrets: ["shares": try box(words(kit)[1...2].joined(separator: "\n"))])
    #expect(answer["npub"]?.string == (try signer.identity.publicKey.npub))
    #expect(try other.entries(.recoveryRestored).map(\.identity) == [try signer.identity.publicKey])
    signer.close()
    other.close()
  }

  @Test("A kit is stored together with its log entry, and is not made if it cannot be recorded")
  func aKitIsRecordedWithItsMaking() throws {
    let signer = try Signer()
    signer.core.outbox.clear(isEnd: true)
    signer.core.log.close()
    let kit = try create(signer)
    let rows = try signer.core.vault.records(.outbox).map { try unwrap(OutboxRow($0)).entry }
    #expect(rows.map(\.kind) == [.recoveryCreated])
    signer.fillOutbox()
    let slots = try signer.core.vault.slots.count
    #expect(failure { try create(signer) }?.error.contains("Nothing was changed") == true)
    #expect(failure { try create(signer, Self.vaultKit) }?.error.contains("Nothing was changed") == true)
    let kits = try signer.operations.ask("recovery/list")["kits"]?.array
    let id = try unwrap(kit["kit"]?["id"])
    #expect(kits?.compactMap { $0["id"] } == [id])
    #expect(try signer.core.vault.slots.count == slots)
    signer.close()
  }

  @Test("A key without words makes longer shares") func aKeyWithoutWordsMakesLongerShares() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/import", ["name": "hex"], secrets: ["key": try box(Self.nsec)])
    let kit = try create(signer, ["threshold": 2, "shares": 2, "identity": "hex"])
    #expect(words(kit).allSatisfy { $0.split(separator: " ").count == 33 })
    #expect(try test(signer, words(kit))["restores"]?.string == "hex")
    signer.close()
  }

  @Test("Testing a kit shows no secret and stores the date") func aTestShowsNothingAndRemembersTheDay() throws {
    let signer = try Signer()
    let kit = try create(signer)
    let tested = try test(signer, Array(words(kit).prefix(2)))
    #expect(keys(tested) == ["kit", "restores", "npub", "noted", "without", "tested"])
    #expect(tested["restores"]?.string == "main" && tested["kit"] == kit["kit"]?["id"])
    #expect(try signer.operations.ask("recovery/list")["kits"]?[0]?["last_tested"]?.integer == tested["tested"]?.integer)
    #expect(try signer.entries(.recoveryTested).count == 1)
    signer.close()
  }

  @Test("Too few, foreign, repeated and damaged shares are named in the error")
  func tooFewForeignAndDamagedSharesAreNamed() throws {
    let signer = try Signer()
    let kit = try words(create(signer))
    let other = try words(create(signer))
    #expect(failure { try test(signer, [kit[0]]) }?.error.contains("1 more") == true)
    #expect(failure { try test(signer, [kit[0], other[1]]) }?.error.hasPrefix("Share 2 belongs to another kit") == true)
    #expect(failure { try test(signer, [kit[0], kit[0]]) }?.error == "Share 2 is the same as share 1.")
    let damaged = kit[1].split(separator: " ").dropLast().joined(separator: " ") + " academic"
    #expect(failure { try test(signer, [kit[0], damaged]) }?.error.hasPrefix("Share 2 is damaged") == true)
    #expect(failure { try test(signer, [kit[0], "nonsense"]) }?.error.hasPrefix("Share 2: word 1") == true)
    signer.close()
  }

  @Test("Shares of another vault's kit are refused") func sharesOfNothingHereAreRefused() throws {
    let (signer, other) = (try Signer(), try Signer())
    let foreign = try words(create(other))
    #expect(failure { try test(signer, foreign) } == .opensNothing)
    signer.close()
    other.close()
  }

  @Test("Wrong shares shown while no signer runs are recorded in the log") func wrongSharesAreRecordedWithoutASigner() throws {
    let (signer, other) = (try Signer(), try Signer())
    _ = try create(signer, Self.vaultKit)
    let foreign = try words(create(other, Self.vaultKit))
    signer.close()
    other.close()
    #expect(
      failure { _ = try LocalSession(home: signer.home.home, shares: try box(foreign.joined(separator: "\n"))) } == .opensNothing)
    let core = try signer.home.core()
    let failed = try core.log.tail(9, matching: AuditFilter(kinds: [.vaultOpenFailed])).map(\.entry)
    #expect(failed.map(\.code) == ["recovery"] && failed.map(\.error) == [.wrongPassphrase])
    #expect(!core.sessionLock.isSuspended, "vault and log know of the same attempt")
    core.close()
  }

  @Test("Making a kit needs the right passphrase and an unlocked session") func aKitTakesThePassphraseAndAnOpenSession() throws {
    let signer = try Signer()
    #expect(failure { try create(signer, passphrase: nil) }?.exit == .usage)
    #expect(failure { try create(signer, passphrase: "wrong") }?.exit == .locked)
    try signer.operations.ask("lock")
    #expect(failure { try create(signer) }?.exit == .locked)
    #expect(try signer.operations.ask("recovery/list")["kits"]?.array?.isEmpty == true)
    #expect(try signer.entries(.recoveryCreated).isEmpty)
    signer.close()
  }

  @Test(
    "An impossible plan for a kit is refused",
    arguments: [
      ["identity": "main"], ["identity": "main", "threshold": 4, "shares": 3], ["identity": "main", "threshold": 1, "shares": 2],
      ["identity": "main", "threshold": 2, "shares": 17], ["identity": "main", "groups": [[2]]],
      ["identity": "main", "groups": [[2, 3], [1, 1]], "group_threshold": 3], ["identity": "main", "threshold": -1, "shares": 3],
      ["identity": "main", "threshold": 2, "shares": 3, "label": "a\u{7}"],
    ] as [JSONValue])
  func refusesAPlanThatIsNone(parameters: JSONValue) throws {
    let signer = try Signer()
    #expect(failure { try create(signer, parameters) }?.exit == .usage)
    signer.close()
  }

  @Test("A kit with groups of shares is made and tested") func groupsAreMadeAndTested() throws {
    let signer = try Signer()
    let kit = try create(
      signer, ["identity": "main", "groups": [[2, 3], [1, 1], [3, 5]], "group_threshold": 2, "label": "home"])
    let shares = words(kit)
    #expect(shares.count == 9 && kit["kit"]?["label"]?.string == "home" && kit["kit"]?["threshold"]?.isNull == true)
    #expect(try test(signer, [shares[3], shares[0], shares[2]])["restores"]?.string == "main")
    #expect(failure { try test(signer, [shares[3], shares[0]]) }?.error.contains("group 1") == true)
    signer.close()
  }

  @Test("A removed kit of an identity is no longer listed and still restores the key")
  func anIdentitysKitIsForgottenAndSaidToRestoreStill() throws {
    let signer = try Signer()
    let kit = try create(signer)
    let removed = try signer.operations.ask("recovery/remove", ["id": try unwrap(kit["kit"]?["id"])])
    #expect(removed["still_restores"]?.bool == true)
    #expect(try signer.operations.ask("recovery/list")["kits"]?.array?.isEmpty == true)
    #expect(exit(signer.operations, "recovery/remove", ["id": "ffff"]) == .notFound)
    // Not noted any more, and yet told what it is for.
    let tested = try test(signer, words(kit))
    #expect(tested["noted"]?.bool == false && tested["restores"]?.string == "main")
    signer.close()
  }

  private func vaultKit(_ signer: Signer) throws -> JSONValue { try create(signer, ["threshold": 2, "shares": 3]) }

  @Test("Only the owner's proof removes a kit of the vault, and then it opens nothing")
  func aKitOfTheVaultIsEndedByItsOwnerOnly() throws {
    let signer = try Signer()
    let kit = try vaultKit(signer)
    let id: JSONValue = ["id": try unwrap(kit["kit"]?["id"])]
    // A terminal or browser that was left open is not the owner.
    #expect(exit(signer.operations, "recovery/remove", id) == .usage)
    #expect(
      failure { try signer.operations.ask("recovery/remove", id, secrets: ["passphrase": try box("wrong")]) }?.exit == .locked)
    #expect(try test(signer, Array(words(kit).prefix(2)))["restores"]?.string == "vault")
    let removed = try signer.operations.ask("recovery/remove", id, secrets: ["passphrase": try box(TestHome.passphrase)])
    #expect(removed["still_restores"]?.bool == false)
    #expect(failure { try test(signer, Array(words(kit).prefix(2))) } == .opensNothing)
    signer.close()
  }

  @Test("A kit whose slot was removed is no longer listed or counted as tested")
  func aKitWhoseSlotIsGoneIsNotPromisedAnyMore() throws {
    let signer = try Signer()
    let kit = try vaultKit(signer)
    _ = try test(signer, Array(words(kit).prefix(2)))
    func isRehearsed() throws -> JSONValue? {
      try signer.operations.ask("identity/receipt", ["name": "main"])["claims"]?.array?
        .first { $0["claim"] == "recovery-tested" }?["holds"]
    }
    #expect(try isRehearsed() == true)
    var facts = try signer.operations.receiptFacts(of: signer.identity)
    facts.kits[0].lastTested = facts.identity.createdAt - 1
    #expect(facts.kitTested == nil, "a test from before the identity was made showed nothing about its key")
    let slot = try unwrap(signer.core.vault.slots.first { $0.type == .recovery })
    try signer.operations.ask(
      "slot/remove", ["id": .integer(Int64(slot.id))], secrets: ["passphrase": try box(TestHome.passphrase)])
    #expect(try signer.operations.ask("recovery/list")["kits"] == [])
    #expect(try isRehearsed() == false)
    #expect(try signer.core.vault.ids(.recoveryKit).isEmpty)
    #expect(failure { try test(signer, Array(words(kit).prefix(2))) } == .opensNothing)
    signer.close()
  }

  /// What may not stay behind, by name: the words of each share, what they stand for, and what a kit of the vault opens by.
  private func traces(of shares: [String]) throws -> [(name: String, bytes: [UInt8])] {
    var (found, collection): ([(String, [UInt8])], ShareCollection) = ([], ShareCollection())
    for (index, words) in shares.enumerated() {
      let share = try Share(words: secret(words))
      try collection.add(share)
      found.append(("the words of share \(index + 1)", Array(words.utf8.suffix(40))))
      found.append(("the value of share \(index + 1)", share.value.withBytes { Array($0) }))
    }
    return found + [("the secret", try collection.secret().withBytes { Array($0) })]
  }

  /// Every value that is sealed in the vault and every entry of its log, opened.
  private func opened(_ signer: Signer) throws -> [(place: String, bytes: [UInt8])] {
    var found: [(String, [UInt8])] = []
    for kind in RecordKinds.holdfast.all where kind != .summary {
      for id in try signer.core.vault.ids(kind) {
        let value =
          kind.isSecret
          ? try signer.core.vault.secret(kind: kind, id: id).withBytes { Array($0) }
          : try unwrap(try signer.core.vault.value(kind, id: id))
        found.append(("\(kind.name)", id + value))
      }
    }
    signer.settle()
    let entries = try AuditReader(folder: signer.home.home.log, key: signer.logKey).tail(10_000, matching: AuditFilter())
    return found + entries.map { ("log \($0.entry.kind)", Array("\($0.entry)".utf8)) }
  }

  private func places(of traces: [(name: String, bytes: [UInt8])], _ signer: Signer) throws -> [String] {
    try opened(signer).flatMap { place, bytes in traces.filter { holds(bytes, $0.bytes) }.map { "\($0.name) in \(place)" } }
  }

  private func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.count >= part.count && (0...(bytes.count - part.count)).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
  }

  @Test("Kits survive a restart, and neither vault nor log contains a share or its secret")
  func kitsOutliveARestartAndHoldNoShare() throws {
    let signer = try Signer()
    let shares = try words(vaultKit(signer))
    _ = try test(signer, Array(shares.prefix(2)))
    let ofOne = try words(create(signer))
    // The identity's own key does lie in the vault; what a kit of the vault gives may not.
    let traces = try traces(of: shares) + traces(of: ofOne).dropLast()
    let again = try signer.reopened()
    #expect(try again.operations.ask("recovery/list")["kits"]?.array?.count == 2)
    #expect(try places(of: traces, again) == [])
    // What is looked for would be found, in whatever record it lay.
    for trace in traces {
      try again.core.vault.transaction([.put(.setting, Array("planted".utf8), Array("before ".utf8) + trace.bytes)])
      #expect(try places(of: traces, again) == ["\(trace.name) in setting"])
    }
    again.close()
  }

  @Test("A kit restores an identity of twenty-four words as words")
  func twentyFourWordsComeBackAsWordsWhereThisVaultKnows() throws {
    let signer = try Signer()
    let words24 = try Mnemonic(entropy: try secret([UInt8](0..<32))).words().text()
    try signer.operations.ask("identity/import", ["name": "long", "account": 3], secrets: ["key": try box(words24)])
    let npub = try unwrap(signer.core.identities.find("long")).publicKey.npub
    let shares = try self.words(create(signer, ["threshold": 2, "shares": 2, "identity": "long"]))
    #expect(try test(signer, shares)["restores"]?.string == "long")
    let other = try Signer()
    let lines = ["shares": try box(shares.joined(separator: "\n"))]
    let restored = try other.operations.ask(
      "recovery/restore", ["name": "w", "words": true, "account": 3, "accept": true], secrets: lines)
    #expect(restored["npub"]?.string == npub)
    #expect(failure { try other.operations.ask("recovery/restore", ["name": "k"], secrets: lines) } != nil)
    signer.close()
    other.close()
  }
}
