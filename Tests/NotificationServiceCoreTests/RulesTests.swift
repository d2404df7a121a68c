import Curve
import Encodings
import Nostr
import NotificationServiceSupport
import RemoteSigning
import TestSupport
import Testing

@testable import NotificationServiceCore

@Suite("The owner's rules hold in the background") struct RulesTests {
  private let scene: Scene
  private let phone: Phone

  init() throws {
    scene = try Scene()
    phone = scene.phone
  }

  // MARK: what waits

  @Test("What the rules ask about waits for the owner, is told of without its content, and is never approved here") func waits()
    throws
  {
    var app = try phone.pair("Coracle", Grant(trust: .low))
    try phone.handOver()
    let text = template(content: "my secret diary")
    let outcome = try scene.sign(&app, text)
    #expect(outcome.result == .waiting && outcome.rule == .lowTrust)
    #expect(outcome.title == "Coracle: Sign a note")
    #expect(outcome.body == "As main. Asked because: low trust: you are asked about everything. Open Holdfast to answer.")
    // Asked again, it waits still, and the owner is not told again.
    let again = try scene.sign(&app, text)
    #expect(again.result == .waiting && again.isSilent)
    #expect(phone.relays.published.isEmpty)
    let entries = try phone.takeBack().entries
    #expect(entries.map { $0.waiting?.parameters.first } == [Array(text.utf8), Array(text.utf8)])
    #expect(entries.last?.waiting?.replies.count == 2 && entries.last?.waiting?.name == entries.first?.waiting?.name)
    #expect(entries.allSatisfy { $0.decision == Decision(.ask, by: .lowTrust) && $0.fate == .begun })
  }

  @Test("A request that an earlier wake found beside another one is told of when its own push comes, once") func toldLater()
    throws
  {
    var (app, other) = (try phone.pair("Coracle"), try phone.pair("Careful", Grant(trust: .low)))
    try phone.handOver()
    let (first, second) = (try scene.request(&app), try scene.request(&other))
    for event in [first, second] { phone.relays.store(event, at: Phone.relay) }
    #expect(phone.wake(phone.push(first, isEmbedded: false)).result == .signed)
    let told = phone.wake(phone.push(second))
    #expect(told.result == .waiting && told.title == "Careful: Sign a note")
    #expect(phone.wake(phone.push(second)) == .seen)
  }

  @Test("A key that is not with the extension makes its requests wait") func keysElsewhere() throws {
    let (locked, present, retired) = (try KeyPair.random(), try KeyPair.random(), try KeyPair.random())
    phone.state.identities += [
      .init(name: "bank", publicKey: locked.publicKey, hold: .locked),
      .init(name: "cold", publicKey: present.publicKey, hold: .presence),
      .init(name: "old", publicKey: retired.publicKey, hold: .retired),
    ]
    var apps = try [locked, present, retired].map { try phone.pair("Coracle", Grant(trust: .full), with: $0.publicKey) }
    try phone.handOver()
    let outcomes = try apps.indices.map { try scene.sign(&apps[$0]) }
    #expect(outcomes.map(\.result) == [.locked, .waiting, .denied])
    #expect(outcomes.map(\.rule) == [.locked, .presence, .identityRetired])
    #expect(outcomes[0].body == "As bank. Its key is locked. Open Holdfast to answer.")
    #expect(try phone.takeBack().entries.map { $0.waiting?.rule } == [.locked, .presence, nil])
  }

  @Test("A paused app's requests wait in silence; with all apps paused they are told of") func paused() throws {
    var grant = Grant(trust: .full)
    grant.isSuspended = true
    var (app, other) = (try phone.pair("Coracle", grant), try phone.pair("Other", Grant(trust: .full)))
    try phone.handOver()
    let outcome = try scene.sign(&app)
    #expect(outcome.result == .waiting && outcome.rule == .suspended && outcome.isSilent)
    let next = try phone.takeBack().nextRevision
    (phone.state.revision, phone.state.isSuspended) = (next, true)
    try phone.handOver()
    let told = try scene.sign(&other)
    #expect(told.result == .waiting && told.rule == .lockedDown && !told.isSilent)
  }

  @Test("What a rule denies is denied, and the app and the owner are told why") func denied() throws {
    var grant = Grant(trust: .full)
    try grant.set(.deny, Permission(.signEvent, kind: 1), at: Phone.start)
    var app = try phone.pair("Coracle", grant)
    try phone.handOver()
    let outcome = try scene.sign(&app)
    #expect(outcome.result == .denied && outcome.rule == .ownerDenied)
    #expect(outcome.title == "Coracle: a request was denied" && outcome.body == "As main. Denied: you denied this.")
    #expect(phone.answers(to: &app).map(\.isRefusal) == [true])
  }

  @Test("Requests that need no key are answered without a notification") func keyless() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try app.request(.ping, now: phone.now)
    let outcome = phone.wake(phone.push(event.event))
    #expect(outcome.result == .signed && outcome.isSilent)
    #expect(phone.answers(to: &app) == [.result(id: event.id, "pong")])
  }

  @Test("Text is decrypted for an app that may, and what cannot be decrypted gets an error") func messages() throws {
    var app = try phone.pair("Coracle", Grant(trust: .full))
    try phone.handOver()
    let peer = try KeyPair.random()
    let sealed = try Array("hello".utf8).withUnsafeBytes {
      try NIP44.encrypt($0, with: ConversationKey(peer, phone.identity.publicKey))
    }
    let right = try app.request(.nip44Decrypt, [peer.publicKey.hex, String(decoding: sealed, as: UTF8.self)], now: phone.now)
    let outcome = phone.wake(phone.push(right.event))
    #expect(outcome.result == .signed && !outcome.title.contains("hello") && !outcome.body.contains("hello"))
    #expect(phone.answers(to: &app) == [.result(id: right.id, "hello")])
    let wrong = try app.request(.nip44Decrypt, [peer.publicKey.hex, "nothing"], now: phone.now)
    #expect(phone.wake(phone.push(wrong.event)).fault == .answeredWithError)
  }

  // MARK: limits over wakes

  @Test("A limit and a budget count over wakes, and over a state that is handed over anew") func limits() throws {
    let grants = [
      Grant(trust: .full, limits: RequestLimits(perDay: 2)),
      Grant(trust: .full, budgets: [Budget(Permission(.signEvent, kind: 1), count: 2, period: .day)]),
    ]
    var apps = try grants.map { try phone.pair("Coracle", $0) }
    try phone.handOver()
    for index in apps.indices {
      let outcomes = try (0..<3).map { try scene.sign(&apps[index], template(content: "\($0)")) }
      #expect(outcomes.map(\.result) == [.signed, .signed, .waiting])
      #expect(outcomes[2].rule == (index == 0 ? .dayLimit : .budget))
    }
    let taken = try phone.takeBack()
    for entry in taken.entries { if let usage = entry.usage { phone.state.usage[entry.remoteSigner] = usage } }
    phone.state.revision = taken.nextRevision
    try phone.handOver()
    for index in apps.indices { #expect(try scene.sign(&apps[index], template(content: "more")).result == .waiting) }
  }

  @Test("Of two events with one place and one date, one is signed, whichever wakes they come in") func placesOnce() throws {
    var app = try phone.pair("Coracle", Grant(trust: .full))
    try phone.handOver()
    func list(_ content: String, at time: Int64) -> String {
      template(kind: 30_023, content: content, at: time, tags: [["d", "a"]])
    }
    let now = phone.now
    #expect(try scene.sign(&app, list("one", at: now)).result == .signed)
    #expect(try scene.sign(&app, list("two", at: now)).result == .denied)
    #expect(try scene.sign(&app, list("one", at: now)).result == .signed)
    #expect(try scene.sign(&app, list("two", at: now + 1)).result == .signed)
    // What was signed before the app handed its state over is not known here.
    #expect(try scene.sign(&app, template(kind: 30_023, at: phone.state.writtenAt, tags: [["d", "b"]])).result == .denied)
    let places = try phone.takeBack().entries.compactMap(\.signed)
    #expect(places.map { $0.coordinate.signatures.map(\.createdAt) } == [[now], [now, now + 1]])
  }

  @Test("A follow list that drops most follows waits, also when the list so far was signed in an earlier wake") func follows()
    throws
  {
    var app = try phone.pair("Coracle", Grant(trust: .full))
    let keys = try (0..<20).map { _ in ["p", try KeyPair.random().publicKey.hex] }
    var known = SignedCoordinate(identity: phone.identity.publicKey, kind: EventKind.follows)
    let list = EventTemplate(createdAt: Phone.start - 90_000, kind: EventKind.follows, tags: Array(keys.prefix(10)), content: "")
    _ = known.add(list, by: phone.identity.publicKey, isApproved: true, now: Phone.start - 90_000)
    phone.state.signed[SignedCoordinate.id(identity: phone.identity.publicKey, kind: EventKind.follows)] = known
    try phone.handOver()
    #expect(try scene.sign(&app, template(kind: 3, at: phone.now, tags: keys)).result == .signed)
    let outcome = try scene.sign(&app, template(kind: 3, at: phone.now + 1, tags: Array(keys.prefix(2))))
    #expect(outcome.result == .waiting && outcome.rule == .followListDrops)
  }

  // MARK: pairing

  @Test("An app pairs by a link, its first request is answered in the same wake, and the next wake knows it") func pairing()
    throws
  {
    let link = try phone.link(trust: .medium)
    try phone.handOver()
    var app = RemoteSigner(link: link, client: try KeyPair.random())
    let connect = try app.connectRequest(link, now: phone.now - 1).event
    let first = try scene.request(&app)
    for event in [first, connect] { phone.relays.store(event, at: Phone.relay) }
    // The push of the first request comes before that of the pairing.
    #expect(phone.wake(phone.push(first)).result == .signed)
    #expect(phone.answers(to: &app).count == 2)
    #expect(phone.wake(phone.push(connect)).result == .seen)
    #expect(try scene.sign(&app, template(content: "later")).result == .signed)
    // The link is used up.
    var other = RemoteSigner(link: link, client: try KeyPair.random())
    #expect(phone.wake(phone.push(try other.connectRequest(link, now: phone.now).event)).result == .notOurs)
    let pairings = try phone.takeBack().entries.compactMap(\.pairing)
    #expect(pairings.map(\.client) == [app.client.publicKey] && pairings.map(\.remoteSigner) == [link.remoteSigner])
  }

  @Test("The owner is told which app has paired") func toldOfPairing() throws {
    let link = try phone.link()
    try phone.handOver()
    var app = RemoteSigner(link: link, client: try KeyPair.random())
    let outcome = phone.wake(phone.push(try app.connectRequest(link, now: phone.now).event))
    #expect(outcome.title.hasSuffix(" is paired") && outcome.body == "As main. It used a link that you made.")
  }

  @Test("An app that logs out can ask nothing more") func logout() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let outcome = phone.wake(phone.push(try app.request(.logout, now: phone.now).event))
    #expect(outcome.result == .signed && outcome.title == "Coracle has logged out")
    #expect(try scene.sign(&app).result == .notOurs)
    #expect(try phone.takeBack().entries.map(\.hasLeft) == [true])
  }
}
