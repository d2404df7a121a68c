import Curve
import Encodings
import JSON
import Nostr
import Platform
import Testing

@testable import RemoteSigning

@Suite struct LockingTests {
  @Test("Locking drops the conversation keys") func lockingForgetsConversations() throws {
    let scene = try Scene()
    let peer = try KeyPair.random().publicKey
    let key = try scene.engine.conversations.key(scene.identity, peer)
    #expect(try scene.engine.conversations.key(scene.identity, peer) === key, "kept while the session is open")
    scene.engine.lock()
    #expect(try scene.engine.conversations.key(scene.identity, peer) !== key)
  }

  @Test("While the session is locked, requests wait under every trust level", arguments: [TrustLevel.full, .medium])
  func whileLockedARequestWaitsWhateverTrustSays(trust: TrustLevel) throws {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    #expect(scene.engine.lock() && scene.engine.isLocked)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.locked])
    #expect(Rule.locked.reason == "the signer is locked")
  }

  @Test("While the session is locked, requests that need no key are answered") func whileLockedWhatNeedsNoKeyIsAnswered() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.lock()
    #expect(try scene.ask(app, "ping") == .result("pong"))
    #expect(try scene.ask(app, "get_public_key") == .result(scene.identity.publicKey.hex))
    #expect(try scene.ask(app, "connect", [app.signer.hex]) == .result("ack"))
    try scene.openAnotherLink()
    _ = try scene.pairedApp()
    #expect(scene.engine.pairings.count == 2)
  }

  @Test("While the session is locked, denied requests are denied at once") func whileLockedWhatIsDeniedIsDeniedAtOnce() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    var grant = try #require(scene.engine.pairings.first).grant
    try grant.deny(Permission(.signEvent, kind: 1))
    #expect(scene.engine.update(app.signer, name: "x", grant: grant))
    scene.engine.lock()
    #expect(try scene.ask(app, "sign_event", [template()]) == .error("not permitted"))
  }

  @Test("After an unlock, allowed requests continue and the others are asked")
  func afterUnlockingWhatTheRulesAllowGoesOnAndTheRestIsAsked() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.lock()
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
    #expect(try scene.ask(app, "sign_event", [template(content: "second")]) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.locked, .protectedKind, .locked])
    #expect(scene.engine.reconsider(now: scene.now).isEmpty, "still locked")
    scene.engine.unlock(with: [scene.identity])
    // The owner took back what was allowed for one of them.
    var signed = 0
    for reconsidered in scene.engine.reconsider(now: scene.now) {
      guard case .decided(_, let exchange) = reconsidered else { Issue.record("asked"); continue }
      guard case .result(let json) = try scene.carryOut(exchange, app) else { Issue.record("not signed"); continue }
      #expect(try Event(parsing: Array(json.utf8)).kind == 1)
      signed += 1
    }
    #expect(signed == 2)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.protectedKind])
    #expect(scene.engine.reconsider(now: scene.now).isEmpty)
  }

  @Test("Rules that changed during the lock decide after the unlock") func rulesThatChangedMeanwhileHold() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.lock()
    _ = try scene.ask(app, "sign_event", [template()])
    _ = try scene.ask(app, "nip44_encrypt", [scene.identity.publicKey.hex, "text"])
    var grant = try #require(scene.engine.pairings.first).grant
    grant.trust = .low
    try grant.deny(Permission(.signEvent, kind: 1))
    #expect(scene.engine.update(app.signer, name: "x", grant: grant))
    scene.engine.unlock(with: [scene.identity])
    let found = scene.engine.reconsider(now: scene.now)
    #expect(found.count == 2)
    guard case .decided(_, let denied) = found[0], case .waits(let asked) = found[1] else { Issue.record("other"); return }
    #expect(try scene.carryOut(denied, app) == .error("not permitted"))
    #expect(asked.rule == .lowTrust && scene.engine.pendingRequests == [asked])
  }

  @Test("A request that came during a lockdown is not signed when it ends, only by the owner's answer")
  func whatCameDuringALockdownIsAnsweredByTheOwner() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    scene.engine.setSuspended(true)
    scene.engine.lock(everything: true)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    scene.engine.setSuspended(false)
    scene.engine.unlock(with: [scene.identity])
    #expect(scene.engine.reconsider(now: scene.now).isEmpty && scene.engine.reconsider(app.signer, now: scene.now).isEmpty)
    let waiting = try #require(scene.engine.pendingRequests.first)
    #expect(waiting.rule == .lockedDown && waiting.rule.reason == "the signer was locked down when it asked")
    let approved = try #require(scene.engine.answerPending(waiting.name, approve: true, now: scene.now))
    guard case .result = try scene.carryOut(approved, app) else { Issue.record("not signed"); return }
  }

  @Test("A request that came during a lockdown is refused by a denial that the owner made since")
  func whatCameDuringALockdownCanBeDeniedByARule() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    scene.engine.setSuspended(true)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    var grant = try #require(scene.engine.pairings.first).grant
    try grant.deny(Permission(.signEvent, kind: 1))
    #expect(scene.engine.update(app.signer, name: "x", grant: grant))
    guard case .decided(_, let denied)? = scene.engine.reconsider(app.signer, now: scene.now).first else {
      Issue.record("waits"); return
    }
    #expect(try scene.carryOut(denied, app) == .error("not permitted"))
  }

  /// Decided and recorded while open, performed when locked: nothing final is said.
  @Test("A request that is decided just before a lock waits for the unlock", arguments: [false, true])
  func aLockBetweenDecisionAndUseLetsTheRequestWait(byOwner: Bool) throws {
    let scene = try Scene(trust: byOwner ? .low : .medium)
    let app = try scene.pairedApp()
    var exchange: Exchange
    let request = try app.request("sign_event", [.string(template())], now: scene.now)
    guard case .decided(let decided) = scene.engine.receive(request, now: scene.now) else { Issue.record("dropped"); return }
    exchange = decided
    if byOwner {
      exchange = try #require(scene.engine.answerPending(scene.engine.pendingRequests[0].name, approve: true, now: scene.now))
    }
    scene.engine.lock()
    let outcome = scene.engine.perform(exchange, now: scene.now)
    let waiting = try #require(outcome.postponed)
    #expect(outcome.replies.isEmpty && outcome.signedEvent == nil && !outcome.failed)
    #expect(waiting.decision == Decision(.ask, by: .locked))
    #expect(scene.engine.perform(waiting, now: scene.now).replies.isEmpty)
    #expect(scene.engine.pendingRequests.map(\.eventID) == [request.id])
    scene.engine.unlock(with: [scene.identity])
    switch try #require(scene.engine.reconsider(now: scene.now).first) {
    case .decided(_, let exchange):
      guard case .result = try scene.carryOut(exchange, app) else { Issue.record("not signed"); return }
      #expect(!byOwner)
    case .waits(let request): #expect(byOwner && request.rule == .lowTrust)
    }
  }

  @Test("No key is accepted while the session is locked") func whileLockedNoKeyIsTakenIn() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.lock()
    scene.engine.setIdentities([scene.identity])
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
  }

  @Test("The number of waiting requests is limited while the session is locked") func theQueueIsBoundedWhileLocked() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    scene.engine.lock()
    for index in 0..<PendingRequest.maximumPerClient {
      #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "\(index)")]) == .waiting)
    }
    guard case .error(let text) = try scene.ask(app, "sign_event", [template(kind: 0, content: "one more")]) else {
      Issue.record("queued")
      return
    }
    #expect(text.contains("too many"))
  }

  @Test("No key pair stays in memory after a lock") func noKeyPairOutlivesTheLock() throws {
    weak var kept: KeyPair?
    let engine = SigningEngine()
    do {
      let pair = try KeyPair.random()
      kept = pair
      engine.setIdentities([pair])
    }
    #expect(kept != nil)
    engine.lock()
    #expect(kept == nil)
  }
}
