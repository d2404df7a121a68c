import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing

@Suite struct PairingTests {
  @Test("An app that pairs gets a transport key of its own and uses up the link") func aPairedAppGetsExactlyAck() throws {
    let scene = try Scene()
    _ = try scene.pairedApp()
    let pairing = try #require(scene.engine.pairings.first)
    #expect(pairing.identity == scene.identity.publicKey)
    #expect(pairing.remoteSigner != pairing.identity, "apps see a key of their own, not the user's")
    #expect(scene.engine.openLinks.isEmpty)
  }

  /// The shapes real apps send: the first parameter is anything, metadata and permissions come and go.
  @Test(
    "An app with the right secret is paired, whatever else it sends",
    arguments: [
      ["", "open-Sesame_1"], ["not a key", "open-Sesame_1"],
      ["x", "open-Sesame_1", "sign_event:1,nip44_encrypt"],
      ["x", "open-Sesame_1", "", #"{"name":"My App","url":"https://a.example"}"#],
      ["x", "open-Sesame_1", "nonsense,,sign_event:x", "not json", "one", "two", "three"],
    ])
  func connectsWhateverElseIsSent(parameters: [String]) throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    #expect(try scene.ask(app, "connect", parameters) == .result("ack"))
    let pairing = try #require(scene.engine.pairings.first)
    #expect(pairing.grant == Grant(trust: .medium), "what an app asks for is never granted by asking")
  }

  @Test("An app's description of itself is stored") func keepsWhatTheAppSaysOfItself() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    _ = try scene.ask(
      app, "connect", ["", scene.link.secret, "sign_event:1,ping", #"{"name":"My App\n","url":"https://a.example"}"#])
    let pairing = try #require(scene.engine.pairings.first)
    #expect(pairing.name == "My App ")
    #expect(pairing.url == "https://a.example")
    #expect(pairing.requested.map(\.description) == ["sign_event:1", "ping"])
  }

  @Test(
    "A wrong or missing secret gets an error",
    arguments: [["x"], ["x", ""], [], ["x", "wrong"], ["x", "sign_event:1,nip44_encrypt"], ["x", "open-Sesame_1x"]])
  func refusesAWrongOrMissingSecretWithAnError(parameters: [String]) throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    guard case .error = try scene.ask(app, "connect", parameters) else { Issue.record("no error"); return }
    #expect(scene.engine.pairings.isEmpty)
    #expect(try scene.ask(app, "get_public_key") == .error("connect first: this link is not used yet"))
  }

  @Test("A link whose record lost its secret cannot be used for pairing") func aLinkWithoutASecretPairsNobody() throws {
    let scene = try Scene()
    scene.signer = try KeyPair.random()
    let link = OpenLink(
      remoteSigner: scene.signer.publicKey, secret: "", identity: scene.identity.publicKey, trust: .full, relays: [],
      madeAt: scene.now, expiresAt: scene.now + 600)
    scene.engine.open(link, signer: scene.signer, now: scene.now)
    for parameters in [[], ["x"], ["x", ""]] {
      let app = try App(signer: scene.signer.publicKey)
      guard case .error = try scene.ask(app, "connect", parameters) else { Issue.record("no error"); return }
    }
    #expect(scene.engine.pairings.isEmpty)
  }

  @Test("The owner's name for the app of a link counts more than the app's own") func theNameOfALinkIsTheApps() throws {
    let scene = try Scene()
    scene.signer = try KeyPair.random()
    let link = OpenLink(
      remoteSigner: scene.signer.publicKey, secret: "open-Sesame_2", identity: scene.identity.publicKey, trust: .full, relays: [],
      madeAt: scene.now, expiresAt: scene.now + 600, name: "Phone")
    #expect(try OpenLink(record: link.record) == link)
    scene.engine.open(link, signer: scene.signer, now: scene.now)
    let app = try App(signer: scene.signer.publicKey)
    let metadata = #"{"name":"Amethyst","url":"https://a.example"}"#
    #expect(try scene.ask(app, "connect", ["", "open-Sesame_2", "", metadata]) == .result("ack"))
    let pairing = try #require(scene.engine.pairings.first)
    #expect(pairing.name == "Phone" && pairing.url == "https://a.example")
  }

  @Test("A link pairs one app only") func aSecretIsGoodForOneAppOnly() throws {
    let scene = try Scene()
    _ = try scene.pairedApp()
    let second = try App(signer: scene.signer.publicKey)
    #expect(
      try scene.ask(second, "connect", ["", scene.link.secret])
        == .error("this link was used by another app: ask for a new one"))
    #expect(scene.engine.pairings.count == 1)
  }

  @Test("Only one of two apps that use a link at once is paired") func ofTwoRacingAppsExactlyOneWins() throws {
    let scene = try Scene()
    let apps = try (0..<2).map { _ in try App(signer: scene.signer.publicKey) }
    let intakes = try apps.map { app in
      scene.engine.receive(try app.request("connect", ["", .string(scene.link.secret)], now: scene.now), now: scene.now)
    }
    guard case .decided(let first) = intakes[0], case .pair(let offer) = first.action, case .refused(let refusal) = intakes[1]
    else { Issue.record("both or none"); return }
    #expect(offer.pairing.client == apps[0].key.publicKey)
    #expect(refusal.reason == .linkSpent)
    #expect(
      try apps[1].read(try #require(refusal.reply).event) == .error("this link was used by another app: ask for a new one"))
  }

  @Test("A link can be used again when the pairing could not be stored")
  func aLinkOpensAgainWhenThePairingCouldNotBeStored() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    let event = try app.request("connect", ["", .string(scene.link.secret)], now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now), case .pair(let offer) = exchange.action
    else { Issue.record("not claimed"); return }
    scene.engine.abandon(offer)
    #expect(scene.engine.openLinks == [scene.link])
    _ = try scene.pairedApp()
  }

  @Test("An expired link pairs nobody") func anExpiredLinkPairsNobody() throws {
    let scene = try Scene(lifetime: 60)
    scene.now += 60
    let app = try App(signer: scene.signer.publicKey)
    guard case .error(let text) = try scene.ask(app, "connect", ["", scene.link.secret]) else { Issue.record("no error"); return }
    #expect(text.contains("expired"))
  }

  /// Some apps connect anew at every start, with a spent secret or none.
  @Test(
    "A paired app may connect again",
    arguments: [["", "open-Sesame_1"], ["", ""], [""], [], ["x", "something else", "sign_event:1"]])
  func aPairedAppMayConnectAgain(parameters: [String]) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "connect", parameters) == .result("ack"))
    #expect(scene.engine.pairings.count == 1)
  }

  @Test("A new pairing of an app replaces the old one and keeps the owner's rules")
  func pairingAgainReplacesTheOldPairingAndKeepsTheOwnersExceptions() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let old = try #require(scene.engine.pairings.first)
    var grant = old.grant
    try grant.deny(Permission(.signEvent, kind: 7))
    #expect(scene.engine.update(old.remoteSigner, name: "renamed", grant: grant))
    try scene.openAnotherLink(trust: .full)
    let again = try App(signer: scene.signer.publicKey, key: app.key)
    #expect(try scene.ask(again, "connect", ["", scene.link.secret]) == .result("ack"))
    let pairing = try #require(scene.engine.pairings.first)
    #expect(scene.engine.pairings.count == 1)
    #expect(pairing.grant.trust == .full)
    #expect(pairing.grant.denied == [Permission(.signEvent, kind: 7)])
    #expect(try scene.ask(app, "ping") == .error("no longer paired: connect again with a new link"), "the old key is told so")
  }

  /// One app connects by two links at once, and the owner denies something while the second is being stored.
  @Test("A denial that comes while a pairing is stored is kept") func whatHappensWhileAPairingIsStoredIsNotLost() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    func offer() throws -> PairingOffer {
      let asking = try App(signer: scene.signer.publicKey, key: app.key)
      let event = try asking.request("connect", ["", .string(scene.link.secret)], now: scene.now)
      guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now), case .pair(let offer) = exchange.action
      else { throw Scene.SceneError.notPaired }
      return offer
    }
    let first = try offer()
    try scene.openAnotherLink()
    let second = try offer()
    #expect(first.replaced.isEmpty && second.replaced.isEmpty, "neither knew of the other")
    #expect(scene.engine.confirm(first).leftInStorage.isEmpty)
    var grant = first.pairing.grant
    try grant.deny(Permission(.signEvent, kind: 1))
    #expect(scene.engine.update(first.pairing.remoteSigner, name: "app", grant: grant))
    let confirmed = scene.engine.confirm(second)
    #expect(confirmed.leftInStorage == [first.pairing.remoteSigner], "one app and one identity have one pairing")
    #expect(confirmed.pairing.grant.denied == [Permission(.signEvent, kind: 1)])
    #expect(scene.engine.pairings == [confirmed.pairing])
  }

  @Test("An app that showed a link gets its secret back and is paired") func aNostrConnectAppGetsItsSecretBack() throws {
    let scene = try Scene()
    let client = try KeyPair.random()
    let uri = try NostrConnectURI(
      parsing: "nostrconnect://\(client.publicKey.hex)?relay=wss%3A%2F%2Fr.example&secret=tell-me&name=App")
    let signer = try KeyPair.random()
    let offer = scene.engine.offer(
      uri, identity: scene.identity.publicKey, trust: .medium, remoteSigner: signer.publicKey, now: scene.now)
    scene.engine.add(offer.pairing, signer: signer, now: scene.now)
    let event = try #require(scene.engine.connectResponse(to: uri, signer: signer, requestID: .fresh(), now: scene.now))
    var app = RemoteSigner(showing: uri, client: client)
    #expect(app.receive(event, now: scene.now) == .paired)
    #expect(app.remoteSigner == signer.publicKey)
    // The requests that follow at once are answered.
    let request = try app.request(.getPublicKey, now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(request.event, now: scene.now) else {
      Issue.record("dropped"); return
    }
    let reply = try #require(scene.engine.perform(exchange, now: scene.now).replies.first)
    #expect(app.receive(reply.event, now: scene.now) == .result(id: request.id, scene.identity.publicKey.hex))
  }

  @Test("A signer with the wrong secret cannot answer an app's link") func anImpostorCannotAnswerANostrConnectLink() throws {
    let scene = try Scene()
    let client = try KeyPair.random()
    let uri = try NostrConnectURI(parsing: "nostrconnect://\(client.publicKey.hex)?relay=wss%3A%2F%2Fr.example&secret=tell-me")
    let wrong = try NostrConnectURI(parsing: "nostrconnect://\(client.publicKey.hex)?relay=wss%3A%2F%2Fr.example&secret=guess")
    let event = try #require(
      scene.engine.connectResponse(to: wrong, signer: try KeyPair.random(), requestID: .fresh(), now: scene.now))
    var app = RemoteSigner(showing: uri, client: client)
    #expect(app.receive(event, now: scene.now) == nil)
    #expect(app.remoteSigner == nil)
  }
}
