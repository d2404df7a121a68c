import AuditLog
import Curve
import Encodings
import JSON
import LocalAccess
import Nostr
import RemoteSigning
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Daemon

@Suite struct KeepingTests {
  /// Seals the identity's key under another class, as `identity class` does.
  static func seal(_ signer: Signer, under protection: ProtectionClass) throws {
    let id = try signer.identity.publicKey.bytes.array
    let key = SecretBox(try signer.core.vault.secret(kind: .identityKey, id: id))
    try signer.core.vault.transaction([.put(.identityKey, id, key, protection)])
    try signer.core.loadIdentities()
  }

  private static func isSigned(_ seen: App.Seen) throws -> Bool {
    guard case .result(let json) = seen else { return false }
    return try Event(parsing: Array(json.utf8)).hasValidSignature
  }

  @Test func anIdentityOfTheOpenClassGoesOnSigningWhileLocked() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try Self.seal(signer, under: .afterFirstUnlock)
    try signer.operations.ask("lock")
    #expect(signer.core.gate.isLocked && signer.core.vault.isLocked)
    #expect(try Self.isSigned(try signer.ask(app, "sign_event", [note()])))
    // An identity made meanwhile, or anything else that reads the keys anew, changes nothing about it.
    try signer.core.loadIdentities()
    #expect(try Self.isSigned(try signer.ask(app, "sign_event", [note("again")])))
    // What asks is approved while locked.
    let careful = try signer.pairedApp(trust: "low", name: "careful")
    try signer.deliver(careful, "sign_event", [note("asked")])
    let before = signer.relay.sent.count
    try signer.operations.ask("request/approve", ["id": .string(try WaitingTests.name(signer))])
    #expect(try Self.isSigned(try careful.read(try unwrap(signer.relay.sent(before + 1)?.last).event)))
    signer.close()
  }

  @Test func aPanicTakesTheKeyOfTheOpenClassToo() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try Self.seal(signer, under: .afterFirstUnlock)
    let done = try signer.operations.ask("panic")
    #expect(done["keys_wiped"] == true)
    try signer.core.loadIdentities()
    let before = signer.relay.sent.count
    try signer.deliver(app, "sign_event", [note()])
    #expect(signer.relay.sent.count == before)
    #expect(exit(signer.operations, "request/approve", ["id": .string(try WaitingTests.name(signer))]) == .locked)
    // Nor after a start: the suspension holds on.
    let again = try signer.reopened()
    again.core.gate.lock("suspended since before the start", everything: true)
    #expect(exit(again.operations, "request/approve", ["id": .string(try WaitingTests.name(again))]) == .locked)
    _ = try GateTests.unlock(again)
    try again.operations.ask("request/approve", ["id": .string(try WaitingTests.name(again))])
    #expect(again.relay.sent(1) != nil)
    again.close()
  }

  @Test(arguments: ["lock", "panic"]) func noKeyIsInMemoryAfterALock(way: String) throws {
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
