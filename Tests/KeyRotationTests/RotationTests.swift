import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Sockets
import Testing
import Vault

@testable import KeyRotation
@testable import OwnerOperations
@testable import Signer

/// What is copied to the new key, how a rotation is kept, and that a retired key does nothing.
@Suite struct RotationTests {
  static let now: Int64 = 1_750_000_000
  let old: KeyPair
  let relay: WebSocketURL

  init() throws {
    old = try KeyPair.random()
    relay = try WebSocketURL(parsing: "wss://relay.example")
  }

  private func event(
    _ kind: Int, _ content: String, at time: Int64 = now, by key: KeyPair? = nil, tags: [[String]] = []
  ) throws -> Event {
    let key = key ?? old
    return try UnsignedEvent(pubkey: key.publicKey, createdAt: time, kind: kind, tags: tags, content: content).signed(by: key)
  }

  private func draft(
    _ events: [Event], here: [Rotation.What: EventTemplate] = [:], _ reason: Succession.Reason = .rotated
  ) -> RotationDraft {
    var draft = RotationDraft(old: old.publicKey, reason: reason, hasNote: false, named: [relay])
    draft.take(.init(events: events), asked: [relay], here: here, now: Self.now)
    return draft
  }

  @Test("A rotation copies the newest profile that any relay has") func theNewestOfAllRelaysIsCopied() throws {
    let events = try [event(0, "older", at: Self.now - 9), event(0, "newest"), event(0, "oldest", at: Self.now - 90)]
    #expect(draft(events).copies[.profile]?.content == "newest")
    #expect(draft([]).copies.isEmpty)
  }

  /// A relay can hand out what it likes; it makes the new key say nothing that the old one did not.
  @Test("Events that a relay invented are not copied") func whatARelayInventsIsNotCopied() throws {
    let genuine = try event(0, "genuine", at: Self.now - 100)
    let forged = Event(
      id: genuine.id, pubkey: genuine.pubkey, createdAt: Self.now, kind: 0, tags: [], content: "forged",
      signature: genuine.signature)
    let events = try [
      forged, genuine, event(0, "a stranger's", by: .random()), event(0, "from the future", at: Self.now + 10_000),
      event(7, "another kind"),
    ]
    #expect(draft(events).copies == [.profile: EventTemplate(createdAt: Self.now - 100, kind: 0, content: "genuine")])
  }

  @Test("After a theft, the profile that was signed here is copied and not the thief's newer one")
  func afterATheftWhatWasSignedHereIsCopied() throws {
    let here = [Rotation.What.profile: EventTemplate(createdAt: Self.now - 50, kind: 0, content: "here")]
    let thiefs = try event(0, "the thief's")
    #expect(draft([thiefs], here: here, .compromised).copies[.profile]?.content == "here")
    #expect(draft([thiefs], here: here, .prepared).copies[.profile]?.content == "here")
    #expect(draft([thiefs], here: here, .rotated).copies[.profile]?.content == "the thief's")
    #expect(draft([thiefs], here: [:], .compromised).copies[.profile]?.content == "the thief's")
  }

  @Test("The identity's relay list adds relays to publish at, up to a limit")
  func theRelayListSaysWhereElseToPublishWithinBounds() throws {
    let tags =
      (0..<100).map { ["r", "wss://r\($0).example"] } + [["r"], ["r", "http://no.example"], ["p", "wss://no.example"]]
    let draft = draft([try event(10002, "", tags: tags)])
    #expect(draft.relays.count == RotationDraft.mostRelays && draft.relays.first == relay)
    #expect(draft.relays.dropFirst().first?.text == "wss://r0.example")
  }

  private func rotation() throws -> (Rotation, KeyPair) {
    let new = try KeyPair.random()
    let statement = try Succession.statement(from: old.publicKey, to: new.publicKey, reason: .rotated, now: Self.now).signed(
      by: old)
    let draft = draft([try event(0, "é\"\n"), try event(3, "", tags: [["p", old.publicKey.hex, "", "ann"]])])
    return (try draft.rotation(statement, note: nil, by: new, now: Self.now), new)
  }

  @Test("A rotation's events are genuine, and what each relay accepted is stored with them")
  func aRotationIsKeptWholeAndItsEventsAreGenuine() throws {
    var (rotation, new) = try rotation()
    #expect(rotation.parts.map(\.what) == [.statement, .acceptance, .profile, .follows])
    #expect(rotation.missing == [.relayList, .inbox] && !rotation.isDone)
    for part in rotation.parts { try part.event.verify() }
    #expect(rotation.parts.dropFirst().allSatisfy { $0.event.pubkey == new.publicKey })
    try Succession.check(rotation.parts[0].event, acceptedBy: rotation.parts[1].event)
    rotation.note(.init(relay: relay.text, isTaken: false, text: "blocked: no"), to: rotation.parts[0].event)
    for part in rotation.parts { rotation.note(.init(relay: relay.text, isTaken: true, text: ""), to: part.event) }
    // What a relay has, it has, whatever it says later.
    rotation.note(.init(relay: relay.text, isTaken: false, text: "error"), to: rotation.parts[1].event)
    #expect(rotation.isDone && rotation.open(at: relay.text).isEmpty && rotation.open(at: "wss://other.example").count == 4)
    #expect(Rotation(record: rotation.record) == rotation)
  }

  @Test("A damaged record is not read as a rotation") func aDamagedRecordIsNoRotation() throws {
    let record = try rotation().0.record
    for length in stride(from: 0, to: record.count, by: 17) { #expect(Rotation(record: Array(record.prefix(length))) == nil) }
    #expect(Rotation(record: Array("{}".utf8)) == nil && Rotation(record: Array(#"{"version":2}"#.utf8)) == nil)
  }

  /// What a crash leaves after the one transaction: the next start knows that the key is retired, and the default need not.
  @Test("A retired key stays retired after the next start, and its successor signs")
  func aRetiredKeyIsRetiredAfterTheNextStartToo() throws {
    let home = try TestHome().withVault()
    let session = try home.core()
    let operations = Operations(home: session, Services(session), running: nil)
    try operations.ask("identity/create", ["name": "ann"])
    let ann = try #require(session.identities.find("ann")).publicKey
    let key = try session.identities.keyPair(for: ann)
    _ = try session.identities.createSuccessor(NewIdentity("ann-2"), now: 1) { (new) throws(VaultError) in
      do {
        let statement = try Succession.statement(from: ann, to: new.publicKey, reason: .rotated, now: 1).signed(by: key)
        let draft = RotationDraft(old: ann, reason: .rotated, hasNote: false, named: [relay])
        return [try draft.rotation(statement, note: nil, by: new, now: 1).change]
      } catch { throw .outOfMemory }
    }
    session.close()
    let again = try home.core()
    defer { again.close() }
    let owner = Operations(home: again, Services(again), running: nil)
    #expect(again.isRetired(ann))
    #expect(exit(owner, "sign", ["identity": "ann", "event": ["kind": 1, "content": "x"]]) == .denied)
    #expect(exit(owner, "pair/new", ["identity": "ann"]) == .denied)
    #expect(exit(owner, "identity/default", ["name": "ann"]) == .denied)
    #expect(try owner.ask("identity/rotation")["rotations"]?.array?.count == 1)
    #expect(exit(owner, "sign", ["identity": "ann-2", "event": ["kind": 1, "content": "x"]]) == nil)
  }

  @Test("A rotation to a key that was used before signs no timestamp twice and forgets none") func aUsedSuccessor() throws {
    let signer = try Signer()
    defer { signer.close() }
    let core = signer.core
    try signer.operations.ask("identity/create", ["name": "next"])
    let new = try core.identities.keyPair(for: unwrap(core.identities.find("next")).publicKey)
    let now = Clock.seconds
    func profile(_ text: String, at time: Int64) throws -> UnsignedEvent? {
      let template = EventTemplate(createdAt: time, kind: 0, tags: [], content: text)
      return try core.reserved(template, new.publicKey, isApproved: false, now: now)
    }
    #expect(try profile("first", at: now - 100) != nil && profile("latest", at: now) != nil)
    let old = try core.identities.keyPair(for: signer.identity.publicKey)
    let statement = try Succession.statement(from: old.publicKey, to: new.publicKey, reason: .prepared, now: now).signed(by: old)
    var draft = RotationDraft(old: old.publicKey, reason: .prepared, hasNote: false, named: [])
    draft.take(
      .init(events: []), asked: [], here: [.profile: EventTemplate(createdAt: now, kind: 0, tags: [], content: "copied")],
      now: now)
    let time = try core.timeOfRotation(to: new.publicKey, now: now)
    #expect(time > now, "another profile is of now")
    let rotation = try draft.rotation(statement, note: nil, by: new, now: time)
    try core.vault.transaction([rotation.change] + OpenedHome.coordinates(of: rotation) { try core.signed($0) })
    #expect(try profile("another", at: time) == nil)
    #expect(try profile("another", at: now - 100) == nil, "that time was signed")
    #expect(try profile("another", at: now) == nil)
  }

  @Test("A successor is stored together with its records or not at all")
  func aSuccessorAndItsRecordsAreStoredTogetherOrNotAtAll() throws {
    let home = try TestHome().withVault()
    let core = try home.core()
    defer { core.close() }
    #expect(throws: IdentityError.vault(.notFound)) {
      try core.identities.createSuccessor(NewIdentity("bob"), now: 1) { (_) throws(VaultError) in throw .notFound }
    }
    #expect(core.identities.all.isEmpty)
  }

  @Test("A rotation without valid relays or without an existing identity is refused")
  func whatIsNoRelayOrNoIdentityIsRefused() throws {
    let home = try TestHome().withVault()
    let core = try home.core()
    defer { core.close() }
    let owner = Operations(home: core, Services(core), running: nil)
    try owner.ask("identity/create", ["name": "ann"])
    #expect(exit(owner, "identity/rotate", ["name": "ann"]) == .usage)
    #expect(exit(owner, "identity/rotate", ["name": "ann", "relays": ["http://x"]]) == .usage)
    #expect(exit(owner, "identity/rotate", ["name": "nobody", "relays": ["ws://127.0.0.1:9"]]) == .notFound)
    #expect(exit(owner, "identity/succession", ["name": "nobody"]) == .notFound)
    #expect(exit(owner, "identity/succession", ["name": "ann", "to": "ann"]) == .usage)
    #expect(exit(owner, "identity/succession", ["name": "ann", "show": true]) == .notFound)
  }
}
