import Curve
import Encodings
import Nostr
import Platform
import RemoteSigning
import Testing

@Suite struct KeepingTests {
  private static func scene(_ keeping: KeyKeeping, trust: TrustLevel = .full) throws -> (Scene, App) {
    let scene = try Scene(trust: trust)
    scene.engine.setKeeping([scene.identity.publicKey: keeping])
    scene.engine.setIdentities([scene.identity])
    return (scene, try scene.pairedApp())
  }

  private static func approve(_ scene: Scene, _ app: App, key: KeyPair?) throws -> Scene.Seen? {
    let name = try #require(scene.engine.pendingRequests.first?.name)
    return try scene.engine.answerPending(name, approve: true, key: key, now: scene.now).map { try scene.carryOut($0, app) }
  }

  private static func isSigned(_ seen: Scene.Seen?) -> Bool {
    guard case .result(let json)? = seen, let event = try? Event(parsing: Array(json.utf8)) else { return false }
    return event.hasValidSignature && event.hasCorrectID
  }

  // MARK: keys that stay

  @Test("A key that is kept through locks continues to sign") func aKeyThatIsKeptThroughLocksGoesOnSigning() throws {
    let (scene, app) = try Self.scene(.throughLocks)
    #expect(scene.engine.lock(waiting: 1000))
    #expect(Self.isSigned(try scene.ask(app, "sign_event", [template()])))
    // Keys that are set while locked: this one is taken, another is not.
    scene.engine.setIdentities([scene.identity])
    #expect(Self.isSigned(try scene.ask(app, "sign_event", [template(content: "more")])))
  }

  @Test("The owner can approve for a kept key while the session is locked")
  func whileLockedTheOwnerApprovesForAKeyThatIsKept() throws {
    let (scene, app) = try Self.scene(.throughLocks, trust: .low)
    scene.engine.lock()
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.lowTrust])
    #expect(Self.isSigned(try Self.approve(scene, app, key: nil)))
  }

  @Test("A full lock takes every key, and unlocking restores them")
  func shuttingTakesEveryKeyAndUnlockingBringsThemBack() throws {
    let (scene, app) = try Self.scene(.throughLocks)
    #expect(scene.engine.lock(waiting: 1000, everything: true))
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.locked])
    scene.engine.setIdentities([scene.identity])
    #expect(scene.engine.reconsider(now: scene.now).isEmpty)
    scene.engine.lock()  // a further, ordinary lock brings nothing back
    #expect(scene.engine.isKeyAway(scene.identity.publicKey))
    scene.engine.unlock(with: [scene.identity])
    #expect(scene.engine.reconsider(now: scene.now).count == 1)
  }

  @Test("No key stays in memory after the lock that ends it") func noKeyOutlivesItsLock() throws {
    for keeping in [KeyKeeping.throughLocks, .whileUnlocked, .perUse] {
      weak var kept: KeyPair?
      let engine = SigningEngine()
      do {
        let pair = try KeyPair.random()
        kept = pair
        engine.setKeeping([pair.publicKey: keeping])
        engine.setIdentities([pair])
      }
      #expect((kept != nil) == (keeping != .perUse))
      engine.lock()
      #expect((kept != nil) == (keeping == .throughLocks))
      engine.lock(everything: true)
      #expect(kept == nil)
    }
  }

  // MARK: keys that are given for one use

  @Test("An identity that needs presence asks for it at each use", arguments: [TrustLevel.full, .low], [false, true])
  func anIdentityThatNeedsPresenceAsksEachTimeLockedOrNot(trust: TrustLevel, isLocked: Bool) throws {
    let (scene, app) = try Self.scene(.perUse, trust: trust)
    if isLocked { scene.engine.lock() }
    for round in 0..<2 {
      // The same question again: a yes is not remembered.
      #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
      #expect(scene.engine.pendingRequests.map(\.rule) == [trust == .full ? .presence : .lowTrust], "round \(round)")
      #expect(try Self.approve(scene, app, key: nil) == nil)
      #expect(try Self.approve(scene, app, key: KeyPair.random()) == nil, "another key")
      #expect(scene.engine.pendingRequests.count == 1, "it waits on")
      #expect(Self.isSigned(try Self.approve(scene, app, key: scene.identity)))
      #expect(scene.engine.pendingRequests.isEmpty)
    }
    #expect(Rule.presence.reason == "this identity needs your presence each time")
  }

  @Test("A request can be denied without presence") func aRefusalNeedsNoPresence() throws {
    let (scene, app) = try Self.scene(.perUse)
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let exchange = try #require(scene.engine.answerPending(name, approve: false, now: scene.now))
    #expect(try scene.carryOut(exchange, app) == .error("user rejected"))
  }

  @Test("A key for one use is gone after that use") func aKeyForOneUseIsGoneAfterIt() throws {
    let (scene, app) = try Self.scene(.perUse)
    for method in ["sign_event", "nip44_encrypt"] {
      let parameters = method == "sign_event" ? [template()] : [app.key.publicKey.hex, "text"]
      _ = try scene.ask(app, method, parameters)
      weak var used: KeyPair?
      do {
        let pair = try KeyPair(scene.identity.secretKey())
        used = pair
        guard case .result? = try Self.approve(scene, app, key: pair) else { Issue.record("not done"); return }
      }
      #expect(used == nil)
    }
  }

  /// Given, recorded, and then not performed: because there is no record, or after a lock or a panic.
  @Test("A key for one use is gone when the use does not happen", arguments: ["unrecorded", "lock", "panic"])
  func aKeyForOneUseGoesWithWhatWasNotDone(way: String) throws {
    let (scene, app) = try Self.scene(.perUse)
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    weak var used: KeyPair?
    let exchange: Exchange
    do {
      let pair = try KeyPair(scene.identity.secretKey())
      used = pair
      let given = scene.engine.answerPending(name, approve: true, key: pair, now: scene.now)
      exchange = try #require(given)
    }
    switch way {
    case "unrecorded": _ = scene.engine.refuseUnrecorded(exchange, now: scene.now)
    case "lock": scene.engine.lock()
    default: scene.engine.lock(everything: true)
    }
    #expect(used == nil)
    guard way != "unrecorded" else { return }
    #expect(try scene.carryOut(exchange, app) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [way == "lock" ? .presence : .lockedDown])
  }

  @Test("Presence is not enough while everything is locked") func whileEverythingIsShutPresenceIsNotEnough() throws {
    let (scene, app) = try Self.scene(.perUse)
    _ = try scene.ask(app, "sign_event", [template()])
    scene.engine.lock(everything: true)
    #expect(try Self.approve(scene, app, key: scene.identity) == nil)
    scene.engine.unlock(with: [])
    #expect(Self.isSigned(try Self.approve(scene, app, key: scene.identity)))
  }

  @Test("A request that waited for presence continues when none is needed")
  func whatWaitedForPresenceGoesOnWhenItIsNotNeededAnyMore() throws {
    let (scene, app) = try Self.scene(.perUse)
    _ = try scene.ask(app, "sign_event", [template()])
    #expect(scene.engine.reconsider(now: scene.now).isEmpty)
    scene.engine.setKeeping([:])
    scene.engine.setIdentities([scene.identity])
    guard case .decided(_, let exchange)? = scene.engine.reconsider(now: scene.now).first else { Issue.record("waits"); return }
    #expect(Self.isSigned(try scene.carryOut(exchange, app)))
  }

  // MARK: overtaken

  /// Approved, everything shut, unlocked again, and only then performed.
  @Test("An approval from before a panic is asked again after unlocking")
  func anApprovalThatAPanicOvertookIsNotPerformedAfterABareUnlock() throws {
    let (scene, app) = try Self.scene(.whileUnlocked, trust: .low)
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let exchange = try #require(scene.engine.answerPending(name, approve: true, now: scene.now))
    scene.engine.setSuspended(true)
    scene.engine.lock(everything: true)
    scene.engine.unlock(with: [scene.identity])
    #expect(!scene.engine.stillAllows(exchange, now: scene.now))
    #expect(try scene.carryOut(exchange, app) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.lockedDown])
    // Even when the owner has resumed meanwhile: it was approved before, so it is asked again.
    let second = try #require(scene.engine.answerPending(name, approve: true, now: scene.now))
    scene.engine.lock(everything: true)
    scene.engine.unlock(with: [scene.identity])
    scene.engine.setSuspended(false)
    #expect(try scene.carryOut(second, app) == .waiting)
    #expect(Self.isSigned(try Self.approve(scene, app, key: nil)))
  }

  @Test("An approval from before a panic is carried out once the owner approved the same again")
  func anApprovalThatAPanicOvertookIsNotAnsweredFromALaterOneOfTheSameForEver() throws {
    let (scene, app) = try Self.scene(.whileUnlocked, trust: .low)
    _ = try scene.ask(app, "sign_event", [template()])
    let first = try #require(scene.engine.answerPending(scene.engine.pendingRequests[0].name, approve: true, now: scene.now))
    scene.engine.lock(everything: true)
    scene.engine.unlock(with: [scene.identity])
    _ = try scene.ask(app, "sign_event", [template()])
    #expect(Self.isSigned(try Self.approve(scene, app, key: nil)))
    // The owner said yes to the same since.
    #expect(Self.isSigned(try scene.carryOut(first, app)))
  }
}
