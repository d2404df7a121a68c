import Curve
import Nostr
import RemoteSigning
import Testing

/// A key that gave way to another is used for nothing, whatever the rules and the owner's answers say.
@Suite struct RetiredTests {
  static let refusal = Scene.Seen.error("this key is retired and signs nothing any more; ask its owner for the new one")

  @Test("The key of a retired identity is refused under every trust level", arguments: TrustLevel.allCases)
  func everyUseOfARetiredKeyIsRefusedUnderEveryTrust(trust: TrustLevel) throws {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    scene.engine.setRetired([scene.identity.publicKey])
    let peer = try KeyPair.random().publicKey.hex
    #expect(try scene.ask(app, "sign_event", [#"{"kind":1,"content":"hi"}"#]) == Self.refusal)
    #expect(try scene.ask(app, "nip44_encrypt", [peer, "text"]) == Self.refusal)
    #expect(try scene.ask(app, "nip04_encrypt", [peer, "text"]) == Self.refusal)
    #expect(try scene.ask(app, "ping") == .result("pong"))
  }

  @Test("A retired key is refused at once while the session is locked") func whileLockedItIsRefusedAtOnce() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.setRetired([scene.identity.publicKey])
    scene.engine.lock()
    #expect(try scene.ask(app, "sign_event", [#"{"kind":1,"content":"hi"}"#]) == Self.refusal)
  }

  @Test("No rule or waiting request brings a retired key back") func anAllowanceOrAnApprovalDoesNotBringItBack() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "sign_event", [#"{"kind":1,"content":"hi"}"#]) == .waiting)
    scene.engine.setRetired([scene.identity.publicKey])
    // What waited is decided by the new state of things.
    let decided = scene.engine.reconsider(app.signer, now: scene.now)
    guard case .decided(_, let exchange)? = decided.first else {
      Issue.record("it still waits")
      return
    }
    #expect(exchange.decision == Decision(.deny, by: .identityRetired))
    #expect(scene.engine.pendingRequests.isEmpty)
    var grant = try #require(scene.engine.pairings.first).grant
    try grant.allow(Permission(.signEvent, kind: 1))
    #expect(scene.engine.update(app.signer, name: "x", grant: grant))
    #expect(try scene.ask(app, "sign_event", [#"{"kind":1,"content":"hi"}"#]) == Self.refusal)
  }

  @Test("A rotation does not affect other identities") func anotherIdentityGoesOn() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.setRetired([try KeyPair.random().publicKey])
    guard case .result = try scene.ask(app, "sign_event", [#"{"kind":1,"content":"hi"}"#]) else {
      Issue.record("refused")
      return
    }
  }

  /// An app that could name a successor would take the owner's name with it.
  @Test("A statement of succession is asked under every trust level", arguments: TrustLevel.allCases)
  func namingASuccessorIsAskedUnderEveryTrust(trust: TrustLevel) throws {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    let statement = try Succession.statement(
      from: scene.identity.publicKey, to: KeyPair.random().publicKey, reason: .rotated, now: scene.now)
    #expect(statement.kind == GuardedKinds.succession)
    #expect(try scene.ask(app, "sign_event", [#"{"kind":8041,"content":"","tags":[]}"#]) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.succession])
    var grant = try #require(scene.engine.pairings.first).grant
    #expect(throws: GrantError.neverAlways(Permission(.signEvent, kind: 8041), longest: .once)) {
      try grant.allow(Permission(.signEvent, kind: 8041))
    }
    #expect(Grant.offers(for: Permission(.signEvent, kind: 8041), of: nil) == [.once])
    try grant.allow(Permission(.signEvent))
    #expect(scene.engine.update(app.signer, name: "x", grant: grant))
    #expect(try scene.ask(app, "sign_event", [#"{"kind":8041,"content":"again","tags":[]}"#]) == .waiting)
  }
}
