import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

@Suite struct KeepingTests {
  /// Seals the identity's key under a class that needs presence, as `identity class` does.
  static func reclass(_ signer: Signer, to protection: ProtectionClass) throws {
    let vault = signer.core.vault
    let presence = try vault.present(PassphraseOpener(try box(TestHome.passphrase)), now: Clock.milliseconds)
    try vault.reclass(kind: .identityKey, id: try signer.identity.publicKey.bytes.array, to: protection, by: presence)
    try signer.core.loadIdentities()
  }

  private static func isSigned(_ seen: App.Seen) throws -> Bool {
    guard case .result(let json) = seen else { return false }
    return try Event(parsing: Array(json.utf8)).hasValidSignature
  }

  @Test("An identity of the open class continues to sign while the session is locked")
  func anIdentityOfTheOpenClassGoesOnSigningWhileLocked() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let careful = try signer.pairedApp(trust: "low", name: "careful")
    try signer.sealIdentity(under: .afterFirstUnlock)
    try signer.operations.ask("lock")
    #expect(signer.core.sessionLock.isLocked && signer.core.vault.isLocked)
    #expect(try Self.isSigned(try signer.ask(app, "sign_event", [note()])))
    // An identity made meanwhile, or anything else that reads the keys anew, changes nothing about it.
    try signer.core.loadIdentities()
    #expect(try Self.isSigned(try signer.ask(app, "sign_event", [note("again")])))
    // What asks is approved while locked.
    try signer.deliver(careful, "sign_event", [note("asked")])
    let before = signer.relay.sent.count
    try signer.operations.ask("request/approve", ["id": .string(try WaitingTests.name(signer))])
    #expect(try Self.isSigned(try careful.read(try unwrap(signer.relay.sent(before + 1)?.last).event)))
    signer.close()
  }

  @Test("A panic also wipes keys that stay open while the session is locked, until the owner unlocks")
  func aPanicTakesTheKeyOfTheOpenClassToo() throws {
    let signer = try Signer()
    let (app, careful) = (try signer.pairedApp(trust: "full"), try signer.pairedApp(trust: "low"))
    try signer.sealIdentity(under: .afterFirstUnlock)
    try signer.deliver(careful, "sign_event", [note()])
    let done = try signer.operations.ask("panic")
    #expect(done["keys_wiped"] == true)
    #expect(throws: VaultError.locked) { try signer.core.loadIdentities() }
    let before = signer.relay.sent.count
    try signer.deliver(app, "sign_event", [note()])
    #expect(signer.relay.sent.count == before)
    #expect(exit(signer.operations, "request/approve", ["id": .string(try WaitingTests.name(signer))]) == .locked)
    // Nor after a start: the suspension holds on.
    let again = try signer.reopened()
    again.core.sessionLock.lock("suspended since before the start", everything: true)
    #expect(exit(again.operations, "request/approve", ["id": .string(try WaitingTests.name(again))]) == .locked)
    _ = try SessionLockTests.unlock(again)
    try again.operations.ask("request/approve", ["id": .string(try WaitingTests.name(again))])
    #expect(again.relay.sent(1) != nil)
    again.close()
  }

  @Test("After a panic the owner's own command signs nothing until the session is unlocked")
  func afterAPanicTheOwnersOwnCommandSignsNothingEither() throws {
    let signer = try Signer()
    try signer.sealIdentity(under: .afterFirstUnlock)
    let asked: JSONValue = ["event": ["kind": 1, "content": "x"]]
    try signer.operations.ask("lock")
    _ = try signer.operations.ask("sign", asked)  // its class stays open through a lock
    try signer.operations.ask("panic")
    #expect(exit(signer.operations, "sign", asked) == .locked)
    _ = try SessionLockTests.unlock(signer)
    _ = try signer.operations.ask("sign", asked)
    signer.close()
  }

  @Test("A start after a panic loads no key until the owner unlocks")
  func aStartAfterAPanicThatOpensOnlyWhatStaysOpenLoadsNoKey() throws {
    let home = TestHome()
    let signer = try Signer(home)
    try signer.sealIdentity(under: .afterFirstUnlock)
    try signer.operations.ask("panic")
    signer.close()
    let vault = try Opening.vault(home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    vault.lock()
    let core = try Opening.open(home: home.home, vault: vault)
    let identity = try unwrap(core.identities.defaultIdentity)
    #expect(core.sessionLock.isShut && core.engine.isKeyAway(identity.publicKey))
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    #expect(!core.sessionLock.isShut && !core.engine.isKeyAway(identity.publicKey))
    core.close()
  }

  /// Trust would allow it, and the session is open: all the same it waits, and a passphrase opens the key for the one use.
  @Test(
    "An identity that needs presence asks each time and takes the right passphrase only, whatever the app's trust",
    arguments: [ProtectionClass.devicePasscode, .biometricOrPasscode, .devicePasscodeThisDeviceOnly], [false, true])
  func anIdentityThatNeedsPresenceIsAskedAboutEachTime(protection: ProtectionClass, isLocked: Bool) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try Self.reclass(signer, to: protection)
    if isLocked { try signer.operations.ask("lock") }
    for _ in 0..<2 {
      let before = signer.relay.sent.count
      try signer.deliver(app, "sign_event", [note()])
      let waiting = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
      #expect(waiting["reason"] == "this identity needs your presence each time")
      #expect(waiting["presence"] == .string(protection.base == .devicePasscode ? "passcode" : "passkey-or-passcode"))
      let name = try WaitingTests.name(signer)
      let refused = failure { try signer.operations.ask("request/approve", ["id": .string(name)]) }
      #expect(refused?.exit == .denied && refused?.error.contains("asks for your presence") == true)
      let wrong = failure {
        try signer.operations.ask("request/approve", ["id": .string(name)], secrets: ["passphrase": try box("wrong")])
      }
      #expect(wrong?.exit == .locked)
      #expect(try WaitingTests.name(signer) == name && signer.relay.sent.count == before, "it waits on")
      try signer.operations.ask("request/approve", ["id": .string(name)], secrets: ["passphrase": try box(TestHome.passphrase)])
      #expect(try Self.isSigned(try app.read(try unwrap(signer.relay.sent(before + 1)?.last).event)))
      signer.settle()
      #expect(signer.core.sessionLock.isLocked == isLocked, "the proof opened nothing else")
    }
    signer.close()
  }

  @Test("After a panic even the right passphrase approves no request")
  func aPassphraseIsNoProofForAPasskeysClassAndAPanicIsAboveAny() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try Self.reclass(signer, to: .devicePasscode)
    try signer.deliver(app, "sign_event", [note()])
    try signer.operations.ask("panic")
    let name = try WaitingTests.name(signer)
    let shut = failure {
      try signer.operations.ask("request/approve", ["id": .string(name)], secrets: ["passphrase": try box(TestHome.passphrase)])
    }
    #expect(shut?.exit == .locked)
    #expect(try WaitingTests.name(signer) == name)
    signer.close()
  }

  @Test("A key that needs presence is in memory only while it is used")
  func aKeyThatNeedsPresenceIsInMemoryForItsUseOnly() throws {
    let signer = try Signer()
    let canary = Canary(0x4b34)
    try signer.operations.ask("identity/import", ["name": "canary"], secrets: ["key": try box(canary.array.hex)])
    try signer.operations.ask("identity/default", ["name": "canary"])
    try Self.reclass(signer, to: .biometricOrPasscode)
    #expect(MemoryScan.occurrences(of: canary) == 0, "not loaded though the session is open")
    let app = try signer.pairedApp(trust: "full", identity: "canary")
    for method in ["sign_event", "nip44_encrypt"] {
      let before = signer.relay.sent.count
      try signer.deliver(app, method, method == "sign_event" ? [note()] : [app.key.publicKey.hex, "text"])
      try signer.operations.ask(
        "request/approve", ["id": .string(try WaitingTests.name(signer))],
        secrets: ["passphrase": try box(TestHome.passphrase)])
      guard case .result = try app.read(try unwrap(signer.relay.sent(before + 1)?.last).event) else { throw Missing() }
      signer.settle()
      #expect(MemoryScan.occurrences(of: canary) == 0)
    }
    signer.close()
  }

  /// Opened by what opens only the class that stays open, as the desktop's keyring does.
  @Test("A start that opens only the class that stays open is locked, and takes older requests once it is unlocked")
  func aStartWithoutTheSessionsKeyIsLocked() throws {
    let home = TestHome()
    let signer = try Signer(home)
    let app = try signer.pairedApp(trust: "full")
    signer.close()
    unlink(home.home.log + "/audit.seen")
    let vault = try Opening.vault(home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    vault.lock()
    let core = try Opening.open(home: home.home, vault: vault)
    #expect(core.sessionLock.isLocked)
    let identity = try unwrap(core.identities.defaultIdentity)
    #expect(core.engine.isKeyAway(identity.publicKey))
    #expect(core.engine.pairings.map(\.remoteSigner) == [app.signer])
    // The log cannot be read, and the record beside it is gone: what may have been answered before is not taken.
    let request = try app.request("ping", [], now: Clock.seconds - 1)
    #expect(core.mayBeAnswered(request))
    core.catchUp()
    #expect(core.mayBeAnswered(request), "still locked")
    _ = try core.log.appendAndWait(.event(.daemonStarted))
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    #expect(!core.mayBeAnswered(request))
    #expect(try core.log.tail(10).contains { $0.entry.kind == .daemonStarted }, "what was recorded meanwhile can be read")
    #expect(!core.sessionLock.isLocked && !core.engine.isKeyAway(identity.publicKey))
    core.close()
  }

  @Test("No key is in memory after a lock or a panic", arguments: ["lock", "panic"])
  func noKeyIsInMemoryAfterALock(way: String) throws {
    let signer = try Signer()
    let canary = Canary(way == "lock" ? 0x4b31 : 0x4b32)
    let nsec = canary.array.hex
    try signer.operations.ask("identity/import", ["name": "canary"], secrets: ["key": try box(nsec)])
    let app = try signer.pairedApp(trust: "full", identity: "canary")
    #expect(try Self.isSigned(try signer.ask(app, "sign_event", [note()])))
    #expect(MemoryScan.occurrences(of: canary) > 0, "the search finds what is there")
    try signer.operations.ask(way)
    signer.settle()
    #expect(MemoryScan.occurrences(of: canary) == 0)
    signer.close()
  }
}
