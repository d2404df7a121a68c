import Curve
import DaemonSupport
import Encodings
import Foundation
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// What comes back from a kit, in a vault that knows nothing of it.
@Suite struct KitRestoreTests {
  /// An identity of one kind, to make a kit of.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let key: @Sendable () throws -> String
    var account: Int64 = 0
    var testDescription: String { name }
  }

  private static func words(_ length: Int) -> @Sendable () throws -> String {
    { try Mnemonic(entropy: try secret([UInt8](1...UInt8(length)))).words().text() }
  }

  static let kinds = [
    Kind(name: "nsec", key: { RecoveryKitTests.nsec }), Kind(name: "12 words", key: words(16)),
    Kind(name: "12 words, account 2", key: words(16), account: 2), Kind(name: "18 words", key: words(24)),
    Kind(name: "24 words", key: words(32)), Kind(name: "24 words, account 999", key: words(32), account: 999),
    Kind(name: "24 words, account 70000", key: words(32), account: 70_000),
  ]

  private func signer(_ kind: Kind) throws -> (Signer, npub: String) {
    let signer = try Signer()
    let isWords = kind.name.contains("words")
    let given: [JSONValue.Member] = [.init("name", "kept")] + (isWords ? [.init("account", .integer(kind.account))] : [])
    let answer = try signer.operations.ask("identity/import", .object(given), secrets: ["key": try box(kind.key())])
    return (signer, try unwrap(answer["npub"]?.string))
  }

  private func kit(
    _ signer: Signer, identity: String? = "kept", code: String? = nil
  ) throws -> (shares: SecretBox, kit: JSONValue) {
    var secrets = ["passphrase": try box(TestHome.passphrase)]
    if let code { secrets["new_recovery_code"] = try box(code) }
    let given: [JSONValue.Member] = [.init("threshold", 2), .init("shares", 2)]
    let made = try signer.operations.ask(
      "recovery/create", .object(given + (identity.map { [.init("identity", .string($0))] } ?? [])), secrets: secrets)
    let words = (made["shares"]?.array ?? []).compactMap(\.string).joined(separator: "\n")
    return (try box(words), try unwrap(made["kit"]))
  }

  /// What a page's restore command asks for, beside the shares.
  private func parameters(_ kit: JSONValue) throws -> JSONValue {
    let command = try unwrap(kit["steps"]?.array?.last?["command"]?.string)
    var words = command.split(separator: " ").map(String.init)
    #expect(words.prefix(3) == ["holdfast", "recovery", "restore"])
    words.removeAll { $0 == "--recovery-code" }
    var members: [JSONValue.Member] = []
    for index in stride(from: 3, to: words.count - 1, by: 2) {
      let (option, value) = (words[index], words[index + 1])
      switch option {
      case "--identity": members.append(.init("name", .string(value)))
      case "--npub": members.append(.init("npub", .string(value)))
      case "--account": members.append(.init("account", .integer(try unwrap(Int64(value)))))
      default: Issue.record("\(option)")
      }
    }
    return .object(members)
  }

  @Test("The command printed on a kit page restores exactly the key it names", arguments: kinds)
  func theCommandOnAPageBringsBackTheKeyItNames(kind: Kind) throws {
    let (signer, npub) = try signer(kind)
    let (shares, kit) = try kit(signer)
    let bare = try Signer()
    let back = try bare.operations.ask("recovery/restore", try parameters(kit), secrets: ["shares": shares])
    #expect(back["npub"]?.string == npub && back["compared"]?.bool == true)
    let identity = try unwrap(bare.core.identities.find("kept"))
    #expect(try bare.core.identities.keyPair(for: identity.publicKey).publicKey.npub == npub)
    #expect(identity.account.map(Int64.init) == (kind.name.contains("words") ? kind.account : nil))
    signer.close()
    bare.close()
  }

  @Test("A failed test of a key's kit does not count as an attempt at the vault and raises no alarm")
  func aFailedTestRaisesNoAlarm() throws {
    let (signer, _) = try signer(Self.kinds[0])
    let (shares, _) = try kit(signer)
    let other = try unwrap(signer.core.identities.all.first { $0.name != "kept" }?.publicKey.npub)
    for _ in 0..<3 {
      #expect(throws: OperationError.self) {
        try signer.operations.ask("recovery/test", .object([.init("npub", .string(other))]), secrets: ["shares": shares])
      }
    }
    let home = signer.home
    signer.close()
    for _ in 0..<2 { try home.core().close() }
  }

  @Test("Shares that give another key than the page names restore nothing", arguments: kinds)
  func sharesThatGiveAnotherKeyBringNothingBack(kind: Kind) throws {
    let (signer, _) = try signer(kind)
    let (shares, _) = try kit(signer)
    let bare = try Signer()
    let before = bare.core.identities.all.map(\.publicKey)
    let other = try unwrap(before.first)
    let failure = failure {
      try bare.operations.ask("recovery/restore", ["name": "x", "npub": .string(other.npub)], secrets: ["shares": shares])
    }
    #expect(failure == .otherKey(other))
    #expect(bare.core.identities.all.map(\.publicKey) == before)
    signer.close()
    bare.close()
  }

  @Test("Without an npub to compare, nothing is restored")
  func withoutAnNpubNothingIsBroughtBackThatNobodyCompared() throws {
    let (long, npub) = try signer(Self.kinds[4])
    let (short, shortNpub) = try signer(Self.kinds[1])
    let (longShares, shortShares) = (try kit(long).shares, try kit(short).shares)
    let bare = try Signer()
    func restore(_ shares: SecretBox, _ more: [JSONValue.Member]) throws -> JSONValue {
      try bare.operations.ask("recovery/restore", .object([.init("name", "x")] + more), secrets: ["shares": shares])
    }
    // A key, or the entropy of 24 words: both are named, and neither is taken.
    let both = try unwrap(failure { try restore(longShares, []) })
    #expect(both.error.contains(npub) && both.error.contains("24 words, account 0") && both.error.contains("a secret key"))
    #expect(failure { try restore(longShares, [.init("accept", true)]) } == both)
    #expect(failure { try restore(shortShares, []) }?.error.contains(shortNpub) == true)
    #expect(bare.core.identities.all.count == 1)
    let taken = try restore(longShares, [.init("accept", true), .init("words", true)])
    #expect(taken["npub"]?.string == npub && taken["compared"]?.bool == false)
    for signer in [long, short, bare] { signer.close() }
  }

  @Test("A wrong or missing recovery code restores nothing")
  func aWrongOrMissingRecoveryCodeBringsNothingBack() throws {
    let (signer, npub) = try signer(Self.kinds[4])
    let (shares, kit) = try kit(signer, code: "plum torch 9")
    #expect(kit["code"]?.bool == true)
    let bare = try Signer()
    let asked = try parameters(kit)
    func restore(_ code: String?) throws -> JSONValue {
      let code = try code.map { ["recovery_code": try box($0)] } ?? [:]
      return try bare.operations.ask("recovery/restore", asked, secrets: ["shares": shares].merging(code) { $1 })
    }
    let key = try unwrap(PublicKey(npubOrHex: npub))
    #expect(failure { try restore(nil) } == .otherKey(key))
    #expect(failure { try restore("plum torch 8") } == .otherKey(key))
    #expect(failure { try restore("plüm") }?.exit == .usage)
    #expect(bare.core.identities.all.count == 1)
    #expect(try restore("plum torch 9")["npub"]?.string == npub)
    signer.close()
    bare.close()
  }

  @Test("A vault's kit that needs a recovery code opens nothing without it")
  func aVaultsKitWithARecoveryCodeOpensNothingWithoutIt() throws {
    let signer = try Signer()
    let shares = try kit(signer, identity: nil, code: "plum torch 9").shares
    func test(_ code: String?) throws -> JSONValue {
      let code = try code.map { ["recovery_code": try box($0)] } ?? [:]
      return try signer.operations.ask("recovery/test", secrets: ["shares": shares].merging(code) { $1 })
    }
    #expect(failure { try test(nil) } == .codeMissing)
    #expect(failure { try test("plum torch 8") } == .otherSecret)
    #expect(try test("plum torch 9")["restores"] == "vault")
    let credential = try ShownCredential([:], secrets: ["shares": shares, "recovery_code": try box("plum torch 9")])
    #expect(throws: Never.self) { _ = try signer.core.vault.testSlot(with: credential.opener, now: 0) }
    signer.close()
  }

  @Test("A kit test does a whole restore and leaves nothing of it behind", arguments: [nil, "kept"])
  func aTestOfAKitDoesTheWholeRestoreAndLeavesNothing(identity: String?) throws {
    let (signer, npub) = try signer(Self.kinds[5])
    let shares = try kit(signer, identity: identity).shares
    let before = try FileManager.default.contentsOfDirectory(atPath: signer.home.path).sorted()
    let tested = try signer.operations.ask("recovery/test", secrets: ["shares": shares])
    #expect(tested["npub"]?.string == (identity == nil ? nil : npub) && tested["without"] == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: signer.home.path).sorted() == before)
    #expect(signer.core.identities.all.count == 2)
    signer.close()
  }

  @Test("A kit test fails when its restore fails, and the kit does not count as tested")
  func aTestFailsWhenTheRestoreItDoesFails() throws {
    let signer = try Signer()
    let shares = try kit(signer, identity: nil).shares
    // The shares still open the vault. What comes back has an identity without its key.
    let id = try signer.identity.publicKey.bytes.array
    try signer.core.vault.transaction([.delete(kind: .identityKey, id: id)])
    #expect(failure { try signer.operations.ask("recovery/test", secrets: ["shares": shares]) } != nil)
    #expect(try signer.operations.ask("recovery/list")["kits"]?[0]?["last_tested"]?.isNull == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: signer.home.path).allSatisfy { !$0.hasPrefix("rehearsal-") })
    signer.close()
  }

  @Test("Remains of a kit test after a crash are removed at the next start")
  func whatACrashLeftOfATestIsGone() throws {
    let signer = try Signer()
    let left = signer.home.path + "/rehearsal-abcdef/home"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: left + "/vault.db", contents: Data([1, 2, 3])))
    #expect(FileManager.default.createFile(atPath: signer.home.path + "/rehearsal-abcdef/rehearsing", contents: Data()))
    let again = try signer.reopened()
    #expect(!FileManager.default.fileExists(atPath: signer.home.path + "/rehearsal-abcdef"))
    again.close()
  }

  @Test("A key bound to its device is listed as one that no vault kit restores")
  func aKeyBoundToItsDeviceIsNamed() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/create", ["name": "here", "class": "when-unlocked,this-device-only"])
    let shares = try kit(signer, identity: nil).shares
    #expect(try signer.operations.ask("recovery/test", secrets: ["shares": shares])["without"] == ["here"])
    signer.close()
  }

  @Test("Shares whose combination takes minutes are refused before it begins") func dearSharesAreRefused() throws {
    let signer = try Signer()
    let shares = try SharedSecret.split(
      try secret([UInt8](repeating: 5, count: 32)), into: try SharePlan(threshold: 2, count: 2), exponent: 3)[0]
    let words = try shares.map { try $0.words().text() }.joined(separator: "\n")
    let refusal = failure { try signer.operations.ask("recovery/test", secrets: ["shares": try box(words)]) }
    #expect(refusal?.exit == .usage && refusal?.error.contains("exponent 3") == true)
    signer.close()
  }

  @Test("Shares of another key under a kit's number do not mark that kit as tested") func anotherKitOfTheNumber() throws {
    let signer = try Signer()
    let kit = try kit(signer, identity: nil).kit
    let number = try unwrap(UInt16(kit["id"]?.string ?? "", radix: 16))
    let key = try KeyPair(SecretKey(secret([UInt8](repeating: 5, count: 32))))
    var isFirst = true
    let forged = try SharedSecret.split(
      try secret([UInt8](repeating: 5, count: 32)), into: try SharePlan(threshold: 2, count: 2)
    ) { buffer in
      if isFirst { buffer.storeBytes(of: number, as: UInt16.self) }
      isFirst = false
    }[0]
    let words = try forged.map { try $0.words().text() }.joined(separator: "\n")
    let tested = try signer.operations.ask(
      "recovery/test", ["npub": .string(key.publicKey.npub)], secrets: ["shares": try box(words)])
    #expect(tested["noted"]?.bool == false)
    #expect(try signer.operations.ask("recovery/list")["kits"]?[0]?["last_tested"]?.isNull == true)
    signer.close()
  }

  @Test("A kit of an identity that is not in this vault is tested by the npub on its page")
  func aKitOfAnIdentityElsewhereIsTestedByItsNpub() throws {
    let (signer, npub) = try signer(Self.kinds[5])
    let shares = try kit(signer).shares
    let other = try Signer()
    #expect(failure { try other.operations.ask("recovery/test", secrets: ["shares": shares]) } == .opensNothing)
    let tested = try other.operations.ask("recovery/test", ["npub": .string(npub)], secrets: ["shares": shares])
    #expect(tested["npub"]?.string == npub && other.core.identities.all.count == 1)
    signer.close()
    other.close()
  }

  @Test(
    "A kit whose pages nobody has, as far as is known, counts as no way in until they were handed out or tested",
    arguments: [true, false])
  func aKitWhosePagesNobodyHasCountsAsNoWayIn(isHandedOut: Bool) throws {
    let signer = try Signer()
    // As a command leaves it that was killed before it printed the shares.
    let (shares, made) = try kit(signer, identity: nil)
    let removal: JSONValue = ["id": 1]
    let proof = ["passphrase": try box(TestHome.passphrase)]
    func claim() throws -> JSONValue? {
      let receipt = try signer.operations.ask("identity/receipt", ["name": "main"])
      #expect(receipt["rebuild"]?.array?.contains { $0["what"] == "recovery kit" } == (receipt["opens"]?.array?.count == 2))
      return receipt["claims"]?.array?.first { $0["claim"] == "more-than-one-way-in" }?["holds"]
    }
    #expect(try signer.operations.ask("recovery/list")["kits"]?[0]?["handed_out"] == false)
    #expect(try claim() == false)
    let refused = failure { try signer.operations.ask("slot/remove", removal, secrets: proof) }
    #expect(refused?.error.contains("nobody confirmed") == true)
    if isHandedOut {
      try signer.operations.ask("recovery/handed-out", ["id": try unwrap(made["id"])])
    } else {
      try signer.operations.ask("recovery/test", secrets: ["shares": shares])
    }
    #expect(try signer.operations.ask("recovery/list")["kits"]?[0]?["handed_out"] == true)
    #expect(try claim() == true)
    #expect(try signer.operations.ask("slot/remove", removal, secrets: proof)["removed"]?.integer == 1)
    signer.close()
  }

  @Test(
    "A name with special characters for the shell is left out of printed commands", arguments: ["a b", "$(id)", "ünicode", "a'b"])
  func aNameThatAShellWouldReadStandsInNoCommand(name: String) throws {
    let signer = try Signer()
    try signer.operations.ask("identity/create", ["name": .string(name)])
    let made = try kit(signer, identity: name).kit
    #expect(
      made["steps"]?.array?.last?["command"]?.string?.hasPrefix("holdfast recovery restore --identity restored --npub") == true)
    signer.close()
  }
}
