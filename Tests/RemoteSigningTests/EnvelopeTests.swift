import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import SecretMemory
import TestVectors
import Testing

@Suite struct EnvelopeTests {
  @Test("An envelope with a forged signature or a wrong id is dropped") func dropsAForgedSignatureAndAWrongID() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("ping", [], now: scene.now)
    let forged = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: event.signature.r, s: .fresh()))
    #expect(try scene.deliver(forged, to: app) == .nothing(.badSignature))
    let moved = Event(
      id: .fresh(), pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: event.signature)
    #expect(try scene.deliver(moved, to: app) == .nothing(.badSignature))
    #expect(try scene.deliver(event, to: app) == .result("pong"), "a forgery does not use up the real event's id")
  }

  @Test("An old request with a new date but its old id and signature is dropped") func dropsAnOldRequestDatedAnew() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("ping", [], now: scene.now - 3600)
    let renewed = Event(
      id: event.id, pubkey: event.pubkey, createdAt: scene.now, kind: event.kind, tags: event.tags, content: event.content,
      signature: event.signature)
    #expect(renewed.hasValidSignature, "the signature is that of the id, which is the old one")
    #expect(try scene.deliver(renewed, to: app) == .nothing(.badSignature))
  }

  @Test("An envelope that is not addressed to exactly one served key is dropped")
  func dropsWhatIsNotAddressedToExactlyOneOfOurKeys() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let ours = scene.signer.publicKey.hex
    let other = try KeyPair.random().publicKey.hex
    let plaintext = Array(#"{"id":"1","method":"ping","params":[]}"#.utf8)
    for (tags, reason) in [
      ([["p", other]], DropReason.notOurs), ([], .notAddressed), ([["p"]], .notAddressed), ([["p", "zz"]], .notAddressed),
      ([["p", ours], ["p", other]], .notAddressed), ([["p", ours], ["p", ours]], .notAddressed),
    ] {
      #expect(try scene.deliver(try app.envelopeEvent(plaintext, now: scene.now, tags: tags), to: app) == .nothing(reason))
    }
    #expect(try scene.deliver(try app.envelopeEvent(plaintext, now: scene.now, kind: 1), to: app) == .nothing(.wrongKind))
    #expect(
      try scene.deliver(try app.envelopeEvent(plaintext, now: scene.now, tags: [["x", "y"], ["p", ours]]), to: app)
        == .result("pong"))
  }

  @Test("An event is answered only once") func answersOneEventOnce() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("sign_event", [.string(template())], now: scene.now)
    guard case .result = try scene.deliver(event, to: app) else { Issue.record("not signed"); return }
    for _ in 0..<3 { #expect(try scene.deliver(event, to: app) == .nothing(.alreadySeen)) }
    scene.now += 299
    #expect(try scene.deliver(event, to: app) == .nothing(.alreadySeen))
  }

  @Test("A fresh event is reported as new until it has been received") func unheardEvents() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("ping", [], now: scene.now)
    for offset: Int64 in [-300, 0, 300] { #expect(scene.engine.isUnheard(event, now: scene.now + offset)) }
    for offset: Int64 in [-301, 301, .min / 2] { #expect(!scene.engine.isUnheard(event, now: scene.now + offset)) }
    #expect(try scene.deliver(event, to: app) == .result("pong"))
    #expect(!scene.engine.isUnheard(event, now: scene.now))
  }

  @Test("A request that is sent again after a restart is refused") func aReplayAfterARestartIsRefused() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("sign_event", [.string(template())], now: scene.now)
    _ = try scene.deliver(event, to: app)
    let restarted = SigningEngine()
    restarted.setIdentities([scene.identity])
    restarted.add(try #require(scene.engine.pairings.first), signer: scene.signer, now: scene.now)
    restarted.restoreSeen(event.id, createdAt: event.createdAt)
    guard case .dropped(.alreadySeen) = restarted.receive(event, now: scene.now + 10) else { Issue.record("replayed"); return }
  }

  /// The id of an event is held for as long as the event would be taken: from five minutes before its time to five minutes after it.
  @Test("A request is not accepted twice while its date is recent enough", arguments: [-300, -299, -61, 0, 61, 299, 300])
  func idsAreHeldUntilTheirEventsAreTooOld(offset: Int64) throws {
    for phase in [Int64(0), 1, 19, 20, 21, 59] {  // of the minute
      let scene = try Scene()
      scene.now += phase
      let app = try scene.pairedApp()
      let end = scene.now + offset + SeenEvents.freshness
      let event = try app.request("ping", [], now: scene.now + offset)
      #expect(try scene.deliver(event, to: app) == .result("pong"))
      while scene.now < end {
        scene.now = min(scene.now + 37, end)
        #expect(try scene.ask(app, "ping") == .result("pong"), "what comes meanwhile makes the oldest be forgotten")
        #expect(try scene.deliver(event, to: app) == .nothing(.alreadySeen), "\(scene.now - end) s before its end")
      }
    }
  }

  @Test("Setting the clock back by an unnoticeably small step lets no old request in")
  func idsAreHeldThroughASmallStep() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("ping", [], now: scene.now)
    #expect(try scene.deliver(event, to: app) == .result("pong"))
    scene.now += SeenEvents.freshness + SeenEvents.toleratedStep
    #expect(try scene.ask(app, "ping") == .result("pong"))
    scene.now -= SeenEvents.toleratedStep
    #expect(try scene.deliver(event, to: app) == .nothing(.alreadySeen))
  }

  @Test("A signer with NIP-04 switched off does not read it") func readsNoNIP04WhereItIsSwitchedOff() throws {
    let scene = try Scene()
    let engine = SigningEngine(acceptsNIP04: false)
    engine.setIdentities([scene.identity])
    engine.open(scene.link, signer: scene.signer, now: scene.now)
    let app = try App(signer: scene.signer.publicKey)
    let connect: [JSONValue] = [.string(scene.signer.publicKey.hex), .string(scene.link.secret)]
    guard
      case .dropped(.undecryptable) = engine.receive(
        try app.request("connect", connect, now: scene.now, envelope: .nip04), now: scene.now)
    else { Issue.record("NIP-04 was read"); return }
    guard case .decided = engine.receive(try app.request("connect", connect, now: scene.now), now: scene.now) else {
      Issue.record("NIP-44 was not read"); return
    }
  }

  @Test("An app is told how far its clock is off", arguments: [-600, -301, 301, 600, 100_000_000])
  func tellsAPairedAppWhenItsClockIsOff(offset: Int64) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("sign_event", [.string(template())], now: scene.now + offset)
    guard case .error(let text) = try scene.deliver(event, to: app) else { Issue.record("no error"); return }
    #expect(text.contains("\(abs(offset)) seconds"))
    try scene.openAnotherLink()
    let stranger = try App(signer: scene.signer.publicKey)
    let late = try stranger.request("connect", ["", .string(scene.link.secret)], now: scene.now + offset)
    #expect(try scene.deliver(late, to: stranger) == .error(text), "so does one that is about to pair")
    #expect(scene.engine.pairings.count == 1)
  }

  @Test("An event with a wrong date gets one error only") func reportsAWrongClockOnceForEachEvent() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let old = try app.request("ping", [], now: scene.now - 3600)
    let early = try app.request("ping", [], now: scene.now + 600)
    for event in [old, early] {
      guard case .error = try scene.deliver(event, to: app) else { Issue.record("no error"); return }
    }
    scene.now += 600
    #expect(
      try scene.deliver(old, to: app) == .nothing(.alreadySeen), "somebody who kept the event cannot make the signer answer")
    #expect(try scene.deliver(early, to: app) == .nothing(.alreadySeen), "refused once is refused for good")
    for _ in 0..<5000 { _ = try scene.deliver(try app.request("ping", [], now: scene.now - 3600), to: app) }
    #expect(try scene.ask(app, "ping") == .result("pong"))
  }

  @Test("A clock that is up to five minutes off is accepted", arguments: [-300, -60, 60, 300])
  func toleratesClocksWithinFiveMinutes(offset: Int64) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    #expect(try scene.deliver(try app.request("ping", [], now: scene.now + offset), to: app) == .result("pong"))
  }

  @Test("An event with the largest possible date gets an error") func survivesATimeAtTheEndOfAllTimes() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    guard case .error = try scene.deliver(try app.request("ping", [], now: .max), to: app) else {
      Issue.record("no error"); return
    }
  }

  @Test("Events without a valid request are dropped") func dropsGarbage() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    for content in ["", "#", "?iv=", "AAAA?iv=AAAA", "not base64 at all", String(repeating: "A", count: 400)] {
      let event = try UnsignedEvent(
        pubkey: app.key.publicKey, createdAt: scene.now, kind: 24133, tags: [["p", scene.signer.publicKey.hex]], content: content
      ).signed(by: app.key)
      #expect(try scene.deliver(event, to: app) == .nothing(.undecryptable))
    }
    for plaintext in [
      "x", "null", "[]", "{}", #"{"method":"ping"}"#, #"{"id":null,"method":"ping"}"#, #"{"id":"1"}"#,
      #"{"id":{},"method":"ping"}"#, #"{"id":"1","id":"2","method":"ping"}"#,
    ] {
      #expect(
        try scene.deliver(try app.envelopeEvent(Array(plaintext.utf8), now: scene.now), to: app) == .nothing(.notARequest),
        "\(plaintext)")
    }
    #expect(
      try scene.deliver(
        try app.envelopeEvent(Array(#"{"id":"1","method":"ping","params":"none"}"#.utf8), now: scene.now), to: app)
        != .nothing(.notARequest))
  }

  @Test("A stranger's flood is cut short and does not affect the paired app")
  func oneStrangersFloodIsCutShortAndDoesNotTouchThePairedApp() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let stranger = try App(signer: scene.signer.publicKey)
    let event = try stranger.request("connect", [], now: scene.now)
    var refused = 0
    for _ in 0..<10_000 {
      if case .dropped(.rateLimited) = scene.engine.receive(event, now: scene.now) { refused += 1 }
    }
    #expect(refused >= 10_000 - RateLimit.strangers.burst)
    #expect(try scene.ask(app, "ping") == .result("pong"))
    scene.now += 10
    let later = try App(signer: scene.signer.publicKey)
    #expect(try scene.ask(later, "ping") == UnansweredTests.used, "after a pause strangers are heard again")
  }
}

@Suite(.vectors("NIP-46 samples of rust-nostr")) struct SampleTests {
  @Test("Every damaged envelope is dropped") func dropsEveryBrokenEnvelope() throws {
    let file = try Vectors.object("nip46/samples.json")
    let signer = try keyPair(file["signer_secret_key"])
    for sample in try Vectors.cases("nip46/samples.json", "broken_envelopes") {
      let scene = try Scene()
      let text = try JSONValue(parsing: Array(try Vectors.json(of: sample["event"]))).serialized()
      guard let event = try? Event(parsing: text) else { continue }
      scene.engine.open(link(signer, scene), signer: signer, now: event.createdAt)
      switch scene.engine.receive(event, now: event.createdAt) {
      case .dropped: break
      case .refused(let refusal): #expect(refusal.reason == .notPaired, "whoever has not connected is told so")
      case .held, .decided: Issue.record("taken: \(sample["name"] ?? "")")
      }
    }
  }

  @Test("The recorded requests of another program are answered") func answersEveryRecordedRequest() throws {
    let file = try Vectors.object("nip46/samples.json")
    let signer = try keyPair(file["signer_secret_key"])
    let user = try keyPair(file["user_secret_key"])
    let engine = SigningEngine()
    engine.setIdentities([user])
    let app = try App(signer: signer.publicKey, key: try keyPair(file["client_secret_key"]))
    let cases = try Vectors.cases("nip46/samples.json", "cases")
    let start = Int64(try #require((cases[0]["request_event"] as? [String: Any])?["created_at"] as? Int))
    let secret = try #require(file["connect_secret"] as? String)
    engine.open(
      OpenLink(
        remoteSigner: signer.publicKey, secret: secret, identity: user.publicKey, trust: .full, relays: [], madeAt: start,
        expiresAt: start + 1000), signer: signer, now: start)
    for sample in cases {
      let name = try #require(sample["name"] as? String)
      let event = try Event(parsing: Array(try Vectors.json(of: sample["request_event"])))
      let seen: Scene.Seen
      switch engine.receive(event, now: event.createdAt) {
      case .dropped(let reason): seen = .nothing(reason)
      case .held: seen = .waiting
      case .refused(let refusal): seen = try app.read(try #require(refusal.reply).event)
      case .decided(let exchange):
        if case .pair(let offer) = exchange.action { _ = engine.confirm(offer) }
        let reply = engine.perform(exchange, now: event.createdAt).replies.first
        if case .wait = exchange.action { seen = .waiting } else { seen = try app.read(try #require(reply).event) }
      }
      try check(seen, sample, name)
    }
  }

  /// Where this signer answers otherwise than the one that made the samples, and why.
  private static let deliberate: [String: Scene.Seen] = [
    // Real apps put "" or the user's key there: it is a hint, never a reason to refuse.
    "connect for another signer pubkey": .result("ack"),
    // The app is paired by then: some connect anew at every start, without a secret.
    "connect without params": .result("ack"),
    // The id goes back as it came, whatever JSON it is.
    "a number id": .result("pong"),
    // An empty success makes nostr-tools wait for ever.
    "nip04_decrypt #1": .error("the decrypted text is empty"),
    // A signature of this kind is a login at a web site, as the user: asked, whatever the trust.
    "sign_event kind 27235": .waiting,
  ]

  private func check(_ seen: Scene.Seen, _ sample: [String: Any], _ name: String) throws {
    if let ours = Self.deliberate[name] {
      #expect(seen == ours, "\(name)")
      return
    }
    let expected = (sample["response_json"] as? String).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    switch try #require(sample["check"] as? String) {
    case "exact": #expect(seen == .result(try #require(expected?["result"]?.string)), "\(name)")
    case "ack-or-secret": #expect(seen == .result("ack"), "\(name)")
    case "error": if case .error = seen {} else { Issue.record("\(name): \(seen)") }
    case "error-or-ignored":
      switch seen {
      case .error, .nothing: break
      case .result, .waiting: Issue.record("\(name): \(seen)")
      }
    case "no-response": if case .nothing = seen {} else { Issue.record("\(name): \(seen)") }
    case "signed-event":
      guard case .result(let json) = seen else { Issue.record("\(name): \(seen)"); return }
      let event = try Event(parsing: Array(json.utf8))
      try event.verify()
      if let id = sample["expected_event_id"] as? String { #expect(event.id.hex == id, "\(name)") }
    default: if case .result(let text) = seen { #expect(!text.isEmpty) } else { Issue.record("\(name): \(seen)") }
    }
  }

  private func keyPair(_ hex: Any?) throws -> KeyPair {
    let text = try #require(hex as? String)
    var bytes = try #require(Hex.decode(text))
    return try KeyPair(SecretKey(.init(wiping: &bytes)))
  }

  private func link(_ signer: KeyPair, _ scene: Scene) -> OpenLink {
    OpenLink(
      remoteSigner: signer.publicKey, secret: "s3cret", identity: scene.identity.publicKey, trust: .full, relays: [],
      madeAt: 0, expiresAt: .max)
  }
}
