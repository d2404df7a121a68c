import Curve
import DaemonSupport
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing
import Vault

@testable import Signer

/// What is left of a pairing that ended, and for how long.
@Suite("Pairings that ended")
struct EndedPairingTests {
  private static let ended = App.Seen.error("no longer paired: connect again with a new link")
  private static let withdrawn = App.Seen.error("this link is no longer good: ask for a new one")

  private func kept(_ signer: Signer, _ app: App) throws -> Set<RecordKind> {
    let kinds: [RecordKind] = [.pairing, .link, .pairingKey, .usage, .endedPairing, .revocation]
    return Set(try kinds.filter { try signer.core.vault.ids($0).contains(app.signer.bytes.array) })
  }

  @Test("A revoked app is told so even after a restart, until its key is dropped", arguments: [false, true])
  func anEndedAppsKeyAnswersAndNothingElse(isLogout: Bool) throws {
    var signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    if isLogout {
      #expect(try signer.ask(app, "logout") == .result("ack"))
    } else {
      try signer.operations.ask("client/revoke", ["client": "tester"])
    }
    signer.settle()
    #expect(try signer.ask(app, "sign_event", [note(kind: 1)]) == Self.ended)
    signer = try signer.reopened()
    #expect(try signer.ask(app, "sign_event", [note(kind: 1)]) == Self.ended)
    #expect(try kept(signer, app) == [.pairingKey, .endedPairing, .revocation], "the transport key, and nothing else")
    let now = try unwrap(signer.core.engine.endedPairings.first).endedAt
    signer.core.dropOldEndings(now: now + EndedPairing.answeredFor)
    #expect(try signer.ask(app, "ping") == Self.ended)
    signer.core.dropOldEndings(now: now + EndedPairing.answeredFor + 1)
    #expect(try kept(signer, app) == [.revocation])
    #expect(!signer.core.engine.remoteSigners.contains(app.signer))
    signer.close()
  }

  @Test("The newest 64 ended pairings are kept, also over a restart")
  func endingsAreBounded() throws {
    var signer = try Signer()
    let key = try KeyPair.random()
    for _ in 0..<(EndedPairing.maximumKept + 3) { _ = try signer.pairedApp(key: key) }
    signer.core.dropOldEndings(now: signer.now)
    #expect(signer.core.engine.endedPairings.count == EndedPairing.maximumKept)
    signer = try signer.reopened()
    #expect(signer.core.engine.endedPairings.count == EndedPairing.maximumKept)
    #expect(signer.core.engine.pairings.count == 1)
    #expect(try signer.core.vault.ids(.pairingKey).count == EndedPairing.maximumKept + 1)
    signer.close()
  }

  @Test("Apps and links of a deleted identity are told that they ended")
  func aDeletedIdentitysAppsAreTold() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/create", ["name": "bob"])
    let app = try signer.pairedApp(trust: "low", identity: "bob")
    let late = try signer.appWithLink(identity: "bob")
    try signer.deliver(app, "sign_event", [note(kind: 1)])
    let before = signer.relay.sent.count
    try signer.operations.ask("identity/delete", ["name": "bob"], secrets: try owner)
    signer.settle()
    let sent = try unwrap(signer.relay.sent(before + 1))
    #expect(try app.read(sent[before].event) == Self.ended, "what waited is told")
    #expect(try signer.ask(app, "ping") == Self.ended)
    #expect(try signer.ask(late.0, "connect", ["", late.secret]) == Self.withdrawn)
    signer.close()
  }

  @Test("The app of a request that expired while the signer was off is told at the next start")
  func whatRanOutWhileOffIsTold() throws {
    var signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note(kind: 1)])
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    let old = PendingRequest(
      name: waiting.name, remoteSigner: waiting.remoteSigner, client: waiting.client, identity: waiting.identity,
      method: waiting.method, parameters: waiting.parameters, kind: waiting.kind, rule: waiting.rule, eventID: waiting.eventID,
      receivedAt: waiting.receivedAt - PendingRequest.lifetime - 1, replies: waiting.replies)
    #expect(signer.core.store.save(old))
    signer = try signer.reopened()
    signer.service.sendOwed()
    let sent = try unwrap(signer.relay.sent(1))
    #expect(try app.read(sent[0].event) == .error("the signer's owner did not answer in time; ask again"))
    #expect(signer.core.takeOwed().isEmpty)
    signer.close()
  }
}
