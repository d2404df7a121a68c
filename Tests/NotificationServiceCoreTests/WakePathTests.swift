import Curve
import Encodings
import JSON
import Nostr
import NotificationServiceSupport
import Platform
import RemoteSigning
import Testing

@testable import NotificationServiceCore

@Suite("A push is answered") struct WakePathTests {
  private let scene: Scene
  private let phone: Phone

  init() throws {
    scene = try Scene()
    phone = scene.phone
  }

  // MARK: with and without the event

  @Test("A request in a push is answered without asking any relay for it") func embedded() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let outcome = try scene.sign(&app)
    #expect(outcome.result == .signed && outcome.rule == .mediumTrust && outcome.fault == nil)
    #expect(phone.relays.asked.isEmpty)
    let signed = try #require(phone.answers(to: &app).first?.signed)
    try signed.verify()
    #expect(signed.pubkey == phone.identity.publicKey && signed.content == "hello")
  }

  @Test("A request that is not in the push is fetched from its relay") func fetched() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    phone.relays.store(event, at: Phone.relay)
    #expect(phone.wake(phone.push(event, isEmbedded: false)).result == .signed)
    #expect(phone.answers(to: &app).first?.signed != nil)
  }

  @Test("Requests that the relay has beside the named one are answered in the same wake, and not once more") func together()
    throws
  {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let events = try (0..<3).map { try scene.request(&app, template(content: "note \($0)")) }
    for event in events { phone.relays.store(event, at: Phone.relay) }
    #expect(phone.wake(phone.push(events[1], isEmbedded: false)).result == .signed)
    #expect(phone.answers(to: &app).compactMap(\.signed).count == 3)
    #expect(phone.wake(phone.push(events[0], isEmbedded: false)).result == .seen)
    #expect(phone.relays.published.count == 3)
  }

  @Test("A relay is asked for the keys that it is known to, and for no other app's") func fewKeys() throws {
    let other = try #require(RelayURL("wss://other.example"))
    var (app, far) = (try phone.pair("Coracle"), try phone.pair("Far", relays: [other]))
    try phone.handOver()
    let event = try scene.request(&app)
    _ = phone.wake(phone.push(event, isEmbedded: false))
    let asked = phone.relays.asked.flatMap { $0.tags["p"] ?? [] }
    #expect(asked == [app.remoteSigner?.hex])
    // And no key answers at another app's relay.
    #expect(phone.wake(phone.push(try scene.request(&far))).result == .notOurs)
    #expect(phone.wake(phone.push(try scene.request(&far), relay: other)).result == .signed)
  }

  // MARK: relays with faults

  @Test("A relay that says nothing costs time, and the time of the wake is kept") func silent() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    phone.relays.set(Phone.relay) { $0.isSilent = true }
    let event = try scene.request(&app)
    for isEmbedded in [false, true] {
      let began = Clock.monotonicMilliseconds
      let outcome = phone.wake(phone.push(event, isEmbedded: isEmbedded), milliseconds: 3_000)
      #expect(Clock.monotonicMilliseconds - began >= 2_000)
      #expect(outcome.result == (isEmbedded ? .failed : .notFound))
    }
    #expect(phone.relays.published.isEmpty)
    let taken = try phone.takeBack()
    #expect(taken.entries.map(\.fate) == [.notSent] && taken.fault == nil)
  }

  @Test("However many relays of an app say nothing, the time of the wake is kept") func manySilent() throws {
    let relays = try (0..<8).map { try #require(RelayURL("wss://relay\($0).example")) }
    var app = try phone.pair("Coracle", relays: relays)
    try phone.handOver()
    for relay in relays { phone.relays.set(relay) { $0.isSilent = true } }
    let began = Clock.monotonicMilliseconds
    #expect(phone.wake(phone.push(try scene.request(&app), relay: relays[0]), milliseconds: 3_000).fault == .relays)
    // Each alone may take four seconds.
    #expect(Clock.monotonicMilliseconds - began < 20_000)
  }

  @Test("A relay that cannot be reached is told of, and the request is left for later") func unreachable() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    phone.relays.set(Phone.relay) { $0.isUnreachable = true }
    let event = try scene.request(&app)
    let outcome = phone.wake(phone.push(event, isEmbedded: false))
    #expect(outcome.result == .failed && outcome.fault == .relays && !outcome.isSilent)
    phone.relays.set(Phone.relay) { $0.isUnreachable = false }
    phone.relays.store(event, at: Phone.relay)
    #expect(phone.wake(phone.push(event, isEmbedded: false)).result == .signed)
  }

  @Test("With no time left nothing is accepted, so that a later wake can answer") func noTime() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    for milliseconds in [Int.min, 0, 500] {
      #expect(phone.wake(phone.push(event), milliseconds: milliseconds).fault == .deadline)
    }
    #expect(phone.wake(phone.push(event)).result == .signed)
  }

  @Test("A relay that never ends its list, sends everything twice, and noise, does not keep the answer back") func noise() throws
  {
    var (app, stranger) = (try phone.pair("Coracle"), try phone.pair("Stranger"))
    phone.state.pairings.removeLast()
    try phone.handOver()
    let event = try scene.request(&app)
    phone.relays.store(event, at: Phone.relay)
    let uninvited = try (0..<40).map { try scene.request(&stranger, template(content: "\($0)")) }
    phone.relays.set(Phone.relay) { faults in
      (faults.endsNoList, faults.sendsTwice, faults.uninvited) = (true, true, [forged(try! scene.request(&app))] + uninvited)
      faults.noise = ["", "[", "7", #"["EVENT"]"#, #"["EVENT","x",{}]"#, String(repeating: "[", count: 5_000), "\0"]
      faults.noise.append(#"["NOTICE",""# + String(repeating: "x", count: 2 << 20) + #""]"#)
    }
    #expect(phone.wake(phone.push(event, isEmbedded: false)).result == .signed)
    #expect(phone.relays.published.count == 1)
  }

  @Test("A relay that sends more than is kept does not keep the answer back") func flood() throws {
    var (app, other) = (try phone.pair("Coracle"), try phone.pair("Loud"))
    try phone.handOver()
    let event = try scene.request(&app)
    phone.relays.store(event, at: Phone.relay)
    let large = String(repeating: "x", count: 100 << 10)
    for index in 0..<8 { phone.relays.store(try scene.request(&other, template(content: large + "\(index)")), at: Phone.relay) }
    #expect(phone.wake(phone.push(event, isEmbedded: false), milliseconds: 20_000).result == .signed)
    #expect(phone.answers(to: &app).count == 1)
  }

  @Test("A relay that closes the subscription, or sends other events only, has not got the request") func closed() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    phone.relays.set(Phone.relay) { $0.uninvited = [try! scene.request(&app, template(kind: 0))] }
    #expect(phone.wake(phone.push(event, isEmbedded: false)).result == .notFound)
    phone.relays.set(Phone.relay) { $0.closes = "error: closed for today" }
    phone.relays.store(event, at: Phone.relay)
    #expect(phone.wake(phone.push(event, isEmbedded: false)).result == .notFound)
  }

  @Test("A relay that wants a login gets one, to fetch and to publish") func login() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    phone.relays.set(Phone.relay) { $0.wantsLogin = true }
    let events = try (0..<2).map { try scene.request(&app, template(content: "\($0)")) }
    phone.relays.store(events[0], at: Phone.relay)
    #expect(phone.wake(phone.push(events[0], isEmbedded: false)).result == .signed)
    #expect(phone.wake(phone.push(events[1])).result == .signed)
  }

  @Test("An answer that one relay refuses goes to the app's other relays") func refused() throws {
    let other = try #require(RelayURL("wss://other.example"))
    var app = try phone.pair("Coracle", relays: [Phone.relay, other])
    try phone.handOver()
    phone.relays.set(Phone.relay) { $0.refuses = "blocked: not today" }
    #expect(try scene.sign(&app).result == .signed)
    #expect(phone.relays.published.map(\.relay) == [other])
    phone.relays.set(other) { $0.refuses = "blocked: nor here" }
    let outcome = try scene.sign(&app)
    #expect(outcome.result == .failed && outcome.fault == .relays && outcome.title == "Coracle: Sign a note")
  }

  // MARK: what is not for this signer

  @Test("A push that names a relay of nobody's connects nowhere") func strangersRelay() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let evil = try #require(RelayURL("wss://evil.example"))
    for isEmbedded in [true, false] {
      let outcome = phone.wake(phone.push(try scene.request(&app), isEmbedded: isEmbedded, relay: evil))
      #expect(outcome.result == .notOurs && outcome.isSilent)
    }
    #expect(phone.relays.connected.isEmpty)
  }

  @Test("A forged request is not answered and leaves no trace, and the true one is answered after it") func forgery() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    let before = try scene.bytes("journal")
    #expect(phone.wake(phone.push(forged(event))).result == .notOurs)
    #expect(try scene.bytes("journal") == before)
    #expect(phone.wake(phone.push(event)).result == .signed)
  }

  @Test("Somebody who is not paired gets an error once, however often the request is pushed") func unpaired() throws {
    let app = try phone.pair("Coracle")
    let signer = try #require(app.remoteSigner)
    var stranger = RemoteSigner(
      link: BunkerURI(remoteSigner: signer, relays: [Phone.relay], secret: nil), client: try KeyPair.random())
    try phone.handOver()
    let event = try scene.request(&stranger)
    for wake in 0..<3 {
      #expect(phone.wake(phone.push(event)).result == (wake == 0 ? .notOurs : .seen))
      #expect(phone.relays.published.count == 1)
    }
    #expect(phone.answers(to: &stranger).map(\.isRefusal) == [true])
    #expect(try phone.takeBack().entries.map(\.fate) == [.refused(.linkSpent)])
  }

  @Test("Strangers cannot fill the journal") func manyStrangers() throws {
    let app = try phone.pair("Coracle")
    let signer = try #require(app.remoteSigner)
    try phone.handOver()
    for _ in 0..<(ExtensionJournal.mostRefused + 5) {
      var stranger = RemoteSigner(
        link: BunkerURI(remoteSigner: signer, relays: [Phone.relay], secret: nil), client: try KeyPair.random())
      #expect(try scene.sign(&stranger).result == .notOurs)
    }
    #expect(phone.relays.published.count == ExtensionJournal.mostRefused)
  }

  @Test("A request that is too old is not carried out, and its app is told once") func stale() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    phone.now += SeenEvents.freshness + 1
    #expect(phone.wake(phone.push(event)).result == .denied)
    #expect(phone.wake(phone.push(event)).result == .seen)
    #expect(phone.answers(to: &app).map(\.isRefusal) == [true])
  }

  @Test("Bytes that are no push end the wake, in silence, and nothing traps") func noPush() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let good = phone.push(try scene.request(&app))
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<400 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        case 1: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...200, using: &generator)))
        default: bytes.insert(contentsOf: Array(#"{"a":["#.utf8), at: Int.random(in: bytes.indices, using: &generator))
        }
      }
      let outcome = phone.wake(bytes)
      #expect(outcome.result == .signed || outcome.result == .seen || outcome.isSilent, "\(outcome)")
    }
    #expect(phone.wake([]).fault == .payload(.malformed))
    let long = [UInt8](repeating: 0x20, count: PushPayload.longest + 1)
    #expect(phone.wake(long).fault == .payload(.tooLong(limit: PushPayload.longest)))
    #expect(phone.relays.published.count <= 1)
  }
}
