import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing

/// What an attacker tried against the engine.
@Suite struct AttackTests {
  enum Change: CaseIterable { case revoked, denied, lowered, retired, anotherApps, anotherIdentitys }

  /// Between the decision and the signature lies the wait for the record, which a slow disk makes long.
  @Test("A request is not carried out when the owner has denied it in the meantime", arguments: Change.allCases)
  func whatTheOwnerForbadeMeanwhileIsNotDoneAnyMore(change: Change) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("sign_event", [.string(template())], now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now), case .use = exchange.action else {
      Issue.record("not decided"); return
    }
    var grant = Grant(trust: .medium)
    switch change {
    case .revoked: _ = scene.engine.close(app.signer)
    case .denied:
      try grant.deny(Permission(.signEvent, kind: 1))
      #expect(scene.engine.update(app.signer, name: "app", grant: grant))
    case .lowered: #expect(scene.engine.update(app.signer, name: "app", grant: Grant(trust: .low)))
    case .retired: scene.engine.setRetired([scene.identity.publicKey])
    case .anotherApps: try pairAnew(scene, client: KeyPair.random().publicKey, identity: scene.identity.publicKey)
    case .anotherIdentitys: try pairAnew(scene, client: app.key.publicKey, identity: KeyPair.random().publicKey)
    }
    let outcome = scene.engine.perform(exchange, now: scene.now)
    #expect(outcome.signedEvent == nil && outcome.failed)
  }

  /// The same key of ours, of another pairing.
  private func pairAnew(_ scene: Scene, client: PublicKey, identity: PublicKey) throws {
    scene.engine.add(
      Pairing(
        remoteSigner: scene.signer.publicKey, client: client, identity: identity, pairedAt: scene.now, name: "app",
        grant: Grant(trust: .full), relays: []), signer: scene.signer, now: scene.now)
  }

  @Test("An approval for a revoked app signs nothing") func anApprovalOfARevokedAppSignsNothing() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let exchange = try #require(scene.engine.answerPending(name, approve: true, now: scene.now))
    _ = scene.engine.close(app.signer)
    #expect(scene.engine.perform(exchange, now: scene.now).signedEvent == nil)
  }

  /// A relay that kept an app's requests of months can send them all. An answer costs a signature; none is worth an entry of the log.
  @Test("Old requests that a relay sends again get only a few errors an hour")
  func oldRequestsSentAgainAreAnsweredAFewTimesAnHour() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let old = try (0..<200).map { try app.request("ping", [], now: scene.now - 10_000 - Int64($0)) }
    func clockErrors() -> Int {
      old.reduce(0) { sum, event in
        if case .refused(let refusal) = scene.engine.receive(event, now: scene.now), refusal.reply != nil { sum + 1 } else { sum }
      }
    }
    let first = clockErrors()
    #expect((1...60).contains(first), "\(first)")
    #expect(clockErrors() == 0)
    scene.now += 3_600
    #expect((1...60).contains(clockErrors()), "a clock that is still wrong is told again")
    #expect(try scene.ask(app, "ping") == .result("pong"))
  }

  @Test("Waiting requests use bounded memory") func whatWaitsForTheOwnerIsBoundedInBytes() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    let text = String(repeating: "x", count: 900_000)
    var refused = 0
    for number in 0..<8 {
      let seen = try scene.ask(app, "nip44_encrypt", [app.key.publicKey.hex, "\(number)" + text])
      if case .error(let text) = seen, text.contains("too many") { refused += 1 }
    }
    let waiting = scene.engine.pendingRequests.reduce(0) { $0 + $1.parameters.reduce(0) { $0 + $1.count } }
    #expect(waiting <= 4 << 20, "\(waiting)")
    #expect(refused == 4)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting, "there is room for a small one")
  }

  @Test(
    "A relay that sends an app's old events again, or one of them again and again, does not silence the app elsewhere",
    arguments: [-10_000, 0])
  func oldEventsDoNotSilenceTheirApp(age: Int64) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let old = try app.request("ping", [], now: scene.now + age)
    for isVerified in [false, true] {
      for _ in 0..<(RateLimit.pairedClient.burst + 1_000) {
        _ = scene.engine.receive(old, isVerified: isVerified, now: scene.now)
      }
    }
    let real = try app.request("ping", [], now: scene.now)
    guard case .decided = scene.engine.receive(real, isVerified: true, now: scene.now) else {
      Issue.record("the embedded relay's event is not heard")
      return
    }
  }

  @Test("The relays of one app do not learn the keys of another") func theRelaysOfOneAppAreNotToldTheKeysOfAnother() throws {
    let scene = try Scene()
    let uri = try NostrConnectURI(
      parsing: "nostrconnect://\(try KeyPair.random().publicKey.hex)?relay=wss%3A%2F%2Fapps.example&secret=s")
    let signer = try KeyPair.random()
    let offer = scene.engine.offer(
      uri, identity: scene.identity.publicKey, trust: .medium, remoteSigner: signer.publicKey, now: scene.now)
    scene.engine.add(offer.pairing, signer: signer, now: scene.now)
    let byRelay = scene.engine.remoteSignersByRelay
    #expect(byRelay[uri.relays[0]] == [signer.publicKey])
    #expect(byRelay[scene.link.relays[0]] == [scene.link.remoteSigner])
  }
}
