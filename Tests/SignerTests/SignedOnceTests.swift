import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// What is signed at one coordinate, through the whole signer.
@Suite struct SignedOnceTests {
  private static let time: Int64 = 1_750_000_000

  private func event(_ kind: Int, at time: Int64? = time, _ content: String = "", tags: [[String]] = []) -> String {
    let value: JSONValue = [
      "kind": .integer(Int64(kind)), "content": .string(content), "created_at": time.map { .integer($0) } ?? .null,
      "tags": .array(tags.map { .array($0.map { .string($0) }) }),
    ]
    return String(decoding: value.serialized(), as: UTF8.self)
  }

  private func follows(_ count: Int, at time: Int64) -> String {
    event(3, at: time, tags: (0..<count).map { ["p", String(repeating: String($0 + 0x10, radix: 16), count: 32)] })
  }

  private func isSigned(_ seen: App.Seen) -> Bool { if case .result = seen { true } else { false } }
  private func isTaken(_ seen: App.Seen) -> Bool {
    if case .error(let text) = seen { text.contains("later created_at") } else { false }
  }

  @Test("A second event with the same date is refused with a helpful message")
  func aSecondEventOfTheSameTimeIsRefusedInWordsThatHelp() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    #expect(isSigned(try signer.ask(app, "sign_event", [event(0, "a")])))
    #expect(isTaken(try signer.ask(app, "sign_event", [event(0, "b")])))
    #expect(isSigned(try signer.ask(app, "sign_event", [event(0, "a")])), "the very same is signed again")
    #expect(isSigned(try signer.ask(app, "sign_event", [event(0, at: Self.time + 1, "b")])))
    for text in ["a", "b"] { #expect(isSigned(try signer.ask(app, "sign_event", [event(1, text)]))) }
    #expect(try signer.entries(.requestDone).compactMap(\.error) == [.signedBefore])
    signer.close()
  }

  @Test("A second event for the same place and time is refused to other apps, to the owner and after a crash")
  func itIsRefusedToOtherAppsTooAndAfterARestart() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    #expect(isSigned(try signer.ask(app, "sign_event", [event(10_002, "a")])))
    signer.core.vault.close()  // as a crash would leave it: nothing is written at the end
    let again = try signer.reopened()
    let other = try again.pairedApp(trust: "full", name: "other")
    #expect(isTaken(try again.ask(other, "sign_event", [event(10_002, "b")])))
    #expect(exit(again.operations, "sign", ["event": .string(event(10_002, "b"))]) == .failed, "nor to the owner by mistake")
    #expect(exit(again.operations, "sign", ["event": .string(event(10_002, at: Self.time + 1, "b"))]) == nil)
    again.close()
  }

  /// Stores so many places of addressable events, as their apps' events would have made them.
  private func fillPlaces(_ core: OpenedHome, _ key: PublicKey, count: Int, at time: (Int) -> Int64) throws {
    let stored: [RecordChange] = (0..<count).map { number in
      let event = EventTemplate(createdAt: time(number), kind: 30_023, tags: [["d", "\(number)"]], content: "")
        .unsigned(by: key, now: Self.time)
      var signed = SignedCoordinate(identity: key, kind: event.kind)
      _ = signed.add(event, isApproved: true, now: Self.time)
      return .put(.signedCoordinate, SignedCoordinate.id(of: event)?.array ?? [], signed.record, .afterFirstUnlock)
    }
    try core.vault.transaction(stored)
  }

  private func isTooManyAhead(_ seen: App.Seen) -> Bool {
    if case .error(let text) = seen { text.contains("too many events dated later than now") } else { false }
  }

  @Test("An app that dates many kinds of events in the future does not block other kinds for other apps")
  func fewPlacesAreAhead() throws {
    let signer = try Signer()
    let now = signer.now
    signer.stopClock(at: now)
    try fillPlaces(signer.core, signer.identity.publicKey, count: AddressablePlaces.mostAhead) { _ in now + 60 }
    let app = try signer.pairedApp(trust: "full")
    #expect(isTooManyAhead(try signer.ask(app, "sign_event", [event(30_023, at: now + 60, tags: [["d", "new"]])])))
    let known = event(30_023, at: now + 61, tags: [["d", "7"]])
    #expect(isTooManyAhead(try signer.ask(app, "sign_event", [known])), "at a known place, too")
    #expect(isSigned(try signer.ask(app, "sign_event", [event(30_023, at: now, tags: [["d", "new"]])])))
    #expect(exit(signer.operations, "sign", ["event": .string(event(30_023, at: now + 60, tags: [["d", "owner"]]))]) == nil)
    signer.stopClock(at: now + 60)
    #expect(isSigned(try signer.ask(app, "sign_event", [event(30_023, at: now + 90, tags: [["d", "later"]])])))
    #expect(try signer.entries(.requestDone).compactMap(\.error) == [.throttled, .throttled])
    signer.close()
  }

  @Test("An app that dates many events in the future does not stop other apps from doing so")
  func eachAppHasItsShareAhead() throws {
    var places = AddressablePlaces(lastTimes: [], now: 100)
    let (one, other) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    for _ in 0..<AddressablePlaces.mostAheadOfOneApp {
      let mayBe = places.mayDate(200, by: one, now: 100)
      #expect(mayBe)
      places.stored(at: 200, by: one, isNew: true, folded: 0, now: 100)
    }
    let (ones, others) = (places.mayDate(200, by: one, now: 100), places.mayDate(200, by: other, now: 100))
    #expect(!ones && others)
    let later = places.mayDate(300, by: one, now: 200)
    #expect(later)
  }

  @Test("When all tracked kinds are dated ahead, as after a wrong clock, no new one is tracked until time catches up")
  func placesAheadAreNotFolded() throws {
    let signer = try Signer()
    let now = signer.now
    signer.stopClock(at: now)
    try fillPlaces(signer.core, signer.identity.publicKey, count: AddressablePlaces.most) { now + 600 + Int64($0) }
    let app = try signer.pairedApp(trust: "full")
    for name in ["new", "newer"] {
      #expect(isTooManyAhead(try signer.ask(app, "sign_event", [event(30_023, at: now, tags: [["d", name]])])))
    }
    #expect(isSigned(try signer.ask(app, "sign_event", [event(30_023, at: now, tags: [["d", "7"]])])), "at a known place")
    #expect(isSigned(try signer.ask(app, "sign_event", [event(30_000, at: now + 1, tags: [["d", "7"], ["t", "x"]])])) == false)
    #expect(try signer.core.vault.ids(.signedCoordinate).count == AddressablePlaces.most)
    signer.stopClock(at: now + 700)
    #expect(isSigned(try signer.ask(app, "sign_event", [event(30_023, at: now + 700, tags: [["d", "new"]])])))
    #expect(try signer.core.vault.ids(.signedCoordinate).count == AddressablePlaces.most - 101 + 1)
    signer.close()
  }

  @Test("The number of tracked addressable events is bounded, and a forgotten one is not signed with an earlier date")
  func placesAreBounded() throws {
    let signer = try Signer()
    let (core, key) = (signer.core, try signer.identity.publicKey)
    try fillPlaces(core, key, count: AddressablePlaces.most) { Self.time + Int64($0) }
    let app = try signer.pairedApp(trust: "full")
    let fresh = event(30_023, at: signer.now, tags: [["d", "new"]])
    #expect(isSigned(try signer.ask(app, "sign_event", [fresh])))
    #expect(try core.vault.ids(.signedCoordinate).count == AddressablePlaces.most * 3 / 4 + 1)
    #expect(isTaken(try signer.ask(app, "sign_event", [event(30_023, at: Self.time + 7, "another", tags: [["d", "7"]])])))
    #expect(isTaken(try signer.ask(app, "sign_event", [event(30_023, at: Self.time + 9_000, "another", tags: [["d", "9000"]])])))
    #expect(isSigned(try signer.ask(app, "sign_event", [event(30_023, at: signer.now, "newer", tags: [["d", "7"]])])))
    signer.close()
  }

  @Test("Of twelve events that compete for the same place and time, exactly one is signed")
  func ofManyThatRaceForOneTimeExactlyOneIsSigned() throws {
    let signer = try Signer(threads: 4)
    let app = try signer.pairedApp(trust: "full")
    let before = signer.relay.sent.count
    for number in 0..<12 {
      let request = try app.request("sign_event", [event(30_023, "\(number)", tags: [["d", "x"]])], now: signer.now)
      signer.workers.submitAlways { signer.service.take(request, from: .embedded, isVerified: false) }
    }
    let sent = try unwrap(signer.relay.sent(before + 12)).dropFirst(before)
    let answers = try sent.map { try app.read($0.event) }
    #expect(answers.filter(isSigned).count == 1 && answers.filter(isTaken).count == 11)
    signer.close()
  }

  @Test("Replaceable events that arrive without a date are each signed, with dates of their own")
  func eventsWithoutTimeGetDifferentOnes() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    for number in 0..<3 { #expect(isSigned(try signer.ask(app, "sign_event", [event(0, at: nil, "\(number)")]))) }
    signer.close()
  }

  /// What cannot be remembered is not signed.
  @Test("A replaceable event that cannot be remembered is not signed; a note is")
  func nothingIsSignedThatCannotBeRemembered() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    signer.core.vault.close()
    #expect(!isSigned(try signer.ask(app, "sign_event", [event(0, "a")])))
    #expect(isSigned(try signer.ask(app, "sign_event", [event(1, "a")])))
    signer.close()
  }

  // MARK: the follow list

  @Test("A follow list that loses many people asks the owner and shows who is removed")
  func aFollowListThatLosesManyIsAskedWithTheDifference() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    #expect(isSigned(try signer.ask(app, "sign_event", [follows(60, at: Self.time)])))
    #expect(isSigned(try signer.ask(app, "sign_event", [follows(57, at: Self.time + 1)])))
    try signer.deliver(app, "sign_event", [follows(20, at: Self.time + 2)])
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    #expect(waiting.rule == .followListDrops)
    let account = try signer.operations.ask("request/show", ["id": .string(waiting.name)])
    let change = try unwrap(account["parts"]?.array?.first { $0["type"] == "list-diff" })
    #expect(change["removed_count"] == 37 && change["kept"] == 20 && change["baseline"] == true)
    try signer.operations.ask("request/approve", ["id": .string(waiting.name)])
    signer.settle()
    #expect(signer.core.latest(3, of: try signer.identity.publicKey)?.tags.count == 20)
    #expect(isSigned(try signer.ask(app, "sign_event", [follows(19, at: Self.time + 3)])))
    signer.close()
  }

  @Test("A profile with a tag or field that some client may read as a payment address is asked under full trust")
  func fieldsAndTagsOfNoNIPAreAsked() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    var time = Self.time
    func profile(_ tags: [[String]], _ fields: String = #"{"name":"alice"}"#) -> String {
      time += 1
      return event(0, at: time, fields, tags: tags)
    }
    #expect(isSigned(try signer.ask(app, "sign_event", [profile([])])))
    let others: [(tags: [[String]], fields: String)] = [
      ([["lud16", "mallory@a.example"]], "{}"), ([["w", "BTC", "bc1qmallory", "bitcoin"]], "{}"), ([["LIGHTNING", "x"]], "{}"),
      ([], #"{"cryptocurrency_addresses":{"monero":"4mallory"}}"#), ([], #"{"name":"alice","bitcoin":"bc1qmallory"}"#),
    ]
    for other in others { try signer.deliver(app, "sign_event", [profile(other.tags, other.fields)]) }
    #expect(signer.core.engine.pendingRequests.map(\.rule) == Array(repeating: .paymentAddress, count: others.count))
    let usual = #"{"name":"Alice","about":"b","picture":"https://a.example/p","nip05":"a@b.example","bot":false}"#
    #expect(isSigned(try signer.ask(app, "sign_event", [profile([["i", "github:alice", "x"], ["client", "c"]], usual)])))
    signer.close()
  }

  @Test("After a restart, a new profile is compared with the last one, too") func profilesAreComparedAfterARestart() throws {
    var signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    func profile(_ fields: String, _ seconds: Int64) -> String { event(0, at: Self.time + seconds, fields) }
    try signer.deliver(app, "sign_event", [profile(#"{"name":"alice","lud16":"alice@a.example"}"#, 0)])
    try signer.operations.ask("request/approve", ["id": .string(try unwrap(signer.core.engine.pendingRequests.first).name)])
    signer.settle()
    signer = try signer.reopened()
    #expect(isSigned(try signer.ask(app, "sign_event", [profile(#"{"name":"Alice","lud16":"alice@a.example"}"#, 1)])))
    try signer.deliver(app, "sign_event", [profile(#"{"name":"alice"}"#, 2)])
    #expect(signer.core.engine.pendingRequests.map(\.rule) == [.paymentAddress], "the address would be gone")
    signer.close()
  }

  @Test("A profile without a payment address that the last one had is asked under full trust and where profiles are allowed")
  func aRemovedPaymentAddressIsAsked() throws {
    let signer = try Signer()
    for trust in ["full", "medium"] {
      let app = try signer.pairedApp(trust: trust, name: trust)
      if trust == "medium" {
        try signer.operations.ask("client/allow", ["client": "medium", "permission": "sign_event:0"])
      }
      let start = Self.time + (trust == "full" ? 0 : 100)
      try signer.deliver(
        app, "sign_event", [event(0, at: start, #"{"name":"alice","lud16":"alice@a.example","lud06":"lnurl1x"}"#)])
      if let first = signer.core.engine.pendingRequests.first {
        try signer.operations.ask("request/approve", ["id": .string(first.name)])
        signer.settle()
      }
      for (place, other) in [
        #"{"name":"alice"}"#, #"{"name":"alice","lud16":"alice@a.example"}"#, #"{"lud16":"","lud06":"lnurl1x"}"#, "",
      ].enumerated() { try signer.deliver(app, "sign_event", [event(0, at: start + 1 + Int64(place), other)]) }
      #expect(signer.core.engine.pendingRequests.map(\.rule) == Array(repeating: .paymentAddress, count: 4), "under \(trust)")
      for waiting in signer.core.engine.pendingRequests {
        try signer.operations.ask("request/deny", ["id": .string(waiting.name)])
      }
      signer.settle()
      let kept = #"{"name":"Alice","lud16":"alice@a.example","lud06":"lnurl1x"}"#
      #expect(isSigned(try signer.ask(app, "sign_event", [event(0, at: start + 20, kept)])))
    }
    signer.close()
  }

  @Test("A profile with a payment address that the last one did not have is asked under every trust, also after a restart")
  func anotherPaymentAddressIsAsked() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    var time = Self.time
    func profile(_ fields: String) -> String {
      time += 1
      return event(0, at: time, fields)
    }
    #expect(isSigned(try signer.ask(app, "sign_event", [profile(#"{"name":"alice"}"#)])))
    try signer.deliver(app, "sign_event", [profile(#"{"name":"alice","lud16":"alice@a.example"}"#)])
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    #expect(waiting.rule == .paymentAddress)
    try signer.operations.ask("request/approve", ["id": .string(waiting.name)])
    signer.settle()
    #expect(isSigned(try signer.ask(app, "sign_event", [profile(#"{"name":"Alice","lud16":"alice@a.example"}"#)])))
    let again = try signer.reopened()
    for other in [
      #"{"lud16":"mallory@a.example"}"#, #"{"lud16":"alice@a.example","lud06":"lnurl1x"}"#,
      #"{"lud16":"alice@a.example","l\u0075d16":"mallory@a.example"}"#, #" {"lud16":"mallory@a.example""#,
      #"{"LUD16":"mallory@a.example"}"#, "\u{FEFF}" + #"{"lud16":"mallory@a.example"}"#, #"/**/{"lud16":"mallory@a.example"}"#,
      #"[{"lud16":"mallory@a.example"}]"#, #""\u007b\"lud16\":\"mallory@a.example\"}""#,
    ] { try again.deliver(app, "sign_event", [profile(other)]) }
    #expect(again.core.engine.pendingRequests.map(\.rule) == Array(repeating: .paymentAddress, count: 9))
    again.close()
  }

  @Test("The first follow list of an app with medium trust asks the owner, and later lists are compared with it")
  func theFirstFollowListIsAskedUnlessTrustIsFull() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    try signer.operations.ask("client/allow", ["client": "tester", "permission": "sign_event:3"])
    try signer.deliver(app, "sign_event", [follows(60, at: Self.time)])
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    #expect(waiting.rule == .followListUnknown)
    try signer.operations.ask("request/approve", ["id": .string(waiting.name)])
    signer.settle()
    #expect(isSigned(try signer.ask(app, "sign_event", [follows(61, at: Self.time + 1)])))
    let again = try signer.reopened()
    try again.deliver(app, "sign_event", [follows(3, at: Self.time + 2)])
    #expect(again.core.engine.pendingRequests.map(\.rule) == [.followListDrops], "known after a restart")
    again.close()
  }

  /// Two lists decided at the same time are compared with each other before the second is signed.
  @Test("A follow list is compared again right before it is signed") func aListThatWasFineWhenDecidedIsComparedAgain() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    #expect(isSigned(try signer.ask(app, "sign_event", [follows(30, at: Self.time)])))
    let request = try app.request("sign_event", [follows(30, at: Self.time + 5)], now: signer.now)
    guard case .decided(let exchange) = signer.core.engine.receive(request, now: signer.now) else { throw Missing() }
    #expect(isSigned(try signer.ask(app, "sign_event", [follows(60, at: Self.time + 1)])))
    guard case .go(let settled) = signer.core.reserve(exchange, now: signer.now) else { throw Missing() }
    let outcome = signer.core.engine.perform(settled, now: signer.now)
    #expect(outcome.failed && outcome.signedEvent == nil)
    signer.close()
  }

  // MARK: relays of one's own

  @Test("Logins to the owner's relays are signed, and logins to other relays ask")
  func theOwnersRelaysAreKnownToTheRules() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let list = event(10_002, tags: [["r", "wss://mine.example/"], ["r", "wss://read.example", "read"]])
    try signer.operations.ask("sign", ["event": .string(list)])
    func login(_ relay: String) -> String { event(22_242, at: nil, tags: [["relay", relay], ["challenge", "x"]]) }
    #expect(isSigned(try signer.ask(app, "sign_event", [login("wss://MINE.example")])))
    #expect(isSigned(try signer.ask(app, "sign_event", [login("ws://127.0.0.1:24133/relay")])), "the session's own")
    try signer.deliver(app, "sign_event", [login("wss://strange.example")])
    // Of two addresses a server may read either.
    let two = [["relay", "wss://mine.example"], ["relay", "wss://strange.example"]]
    for tags in [two, two.reversed()] { try signer.deliver(app, "sign_event", [event(22_242, at: nil, tags: tags)]) }
    #expect(signer.core.engine.pendingRequests.map(\.rule) == [.relayLogin, .relayLogin, .relayLogin])
    try signer.operations.ask("client/allow", ["client": "tester", "permission": "sign_event:22242@wss://strange.example"])
    #expect(isSigned(try signer.ask(app, "sign_event", [login("wss://strange.example/")])))
    signer.close()
  }

  // MARK: counts survive

  /// A signer with one app, whose notes the owner limits to five a day.
  private func budgeted() throws -> (Signer, App) {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try signer.operations.ask("client/budget", ["client": "tester", "permission": "sign_event:1", "count": 5, "period": "1d"])
    return (signer, app)
  }

  @Test("Used-up limits survive a crash") func whatWasUsedUpSurvivesACrash() throws {
    let (signer, app) = try budgeted()
    for number in 0..<2 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    nextMillisecond()
    signer.core.saveUse()
    nextMillisecond()
    for number in 2..<4 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    #expect(isSigned(try signer.ask(app, "sign_event", [note("no note", kind: 7)])))
    signer.settle()
    signer.core.vault.close()  // the counts since the last time are in the log only
    let again = try signer.reopened()
    let shown = try again.operations.ask("client/show", ["client": "tester"])
    #expect(shown["budgets"]?[0]?["used"] == 4)
    #expect(isSigned(try again.ask(app, "sign_event", [note("5")])))
    try again.deliver(app, "sign_event", [note("6")])
    #expect(again.core.engine.pendingRequests.map(\.rule) == [.budget])
    again.close()
  }

  @Test("While others fill the log, the vault notes that all uses are counted, so a start need not read it all")
  func countsAreCompleteUpToSomeTime() throws {
    let (signer, app) = try budgeted()
    for number in 0..<2 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    nextMillisecond()
    signer.core.saveUse()
    let first = try unwrap(signer.core.store.usageComplete())
    nextMillisecond()
    signer.core.saveUse()
    #expect(try signer.core.store.usageComplete() == first, "nothing was used, and little was recorded")
    signer.fillLog()
    signer.core.saveUse()
    #expect(try unwrap(signer.core.store.usageComplete()) > first)
    signer.core.vault.close()
    let again = try signer.reopened()
    #expect(try again.operations.ask("client/show", ["client": "tester"])["budgets"]?[0]?["used"] == 2)
    again.close()
  }

  @Test("Uses found in the log at start are stored together with the note that all are counted")
  func foundUsesAreStored() throws {
    let (signer, app) = try budgeted()
    nextMillisecond()
    signer.core.saveUse()
    nextMillisecond()
    for number in 0..<2 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    signer.settle()
    signer.core.vault.close()  // the uses are in the log only
    let again = try signer.reopened()
    again.fillLog()
    again.core.saveUse()
    again.core.vault.close()
    let third = try again.reopened()
    let noted = try unwrap(LogRecords.anchor(third.core.vault))
    #expect(noted.count > 10_000, "the next start reads the log from there")
    #expect(try third.operations.ask("client/show", ["client": "tester"])["budgets"]?[0]?["used"] == 2)
    third.close()
  }

  @Test("A used-up budget stays used up after a locked start whose key stays open")
  func usesHoldWhileLocked() throws {
    let (signer, app) = try budgeted()
    try signer.sealIdentity(under: .afterFirstUnlock)
    try TestKeyring.add(to: signer)
    for number in 0..<5 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    let home = signer.home
    signer.close()
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    #expect(core.vault.isLocked && !core.sessionLock.isShut)
    let request = try app.request("sign_event", [note("6")], now: Clock.seconds)
    guard case .decided(let exchange) = core.engine.receive(request, now: Clock.seconds) else { throw Missing() }
    #expect(exchange.decision?.rule == .budget)
    core.close()
  }

  @Test("Uses made while locked still count after the next locked start and after the unlock")
  func usesOfALockedRunHold() throws {
    let (signer, app) = try budgeted()
    try signer.sealIdentity(under: .afterFirstUnlock)
    try TestKeyring.add(to: signer)
    let home = signer.home
    signer.close()
    func ask(_ core: OpenedHome, _ number: Int) throws -> Exchange {
      let request = try app.request("sign_event", [note("\(number)")], now: Clock.seconds)
      guard case .decided(let exchange) = core.engine.receive(request, now: Clock.seconds) else { throw Missing() }
      try core.log.appendAndWait(.decided(exchange, time: Clock.milliseconds))
      return exchange
    }
    for run in 0..<2 {
      let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
      #expect(core.vault.isLocked && !core.sessionLock.isShut)
      for number in 0..<2 { #expect(try ask(core, 10 * run + number).decision?.verdict == .allow) }
      core.close()
    }
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    #expect(try ask(core, 20).decision?.verdict == .allow)
    #expect(try ask(core, 21).decision?.rule == .budget)
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    let shown = try Operations(home: core, Services(core), running: nil).ask("client/show", ["client": "tester"])
    #expect(shown["budgets"]?[0]?["used"] == 5, "each once")
    core.close()
  }

  @Test("Uses made before a crash count after a locked start, however long it lasted")
  func usesSurviveALockedStart() throws {
    let (signer, app) = try budgeted()
    try TestKeyring.add(to: signer)
    signer.fillLog()
    signer.core.saveUse()
    nextMillisecond()
    for number in 0..<5 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    signer.settle()
    signer.core.vault.close()  // the uses are in the log only
    let home = signer.home
    signer.close()
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    #expect(core.vault.isLocked)
    core.saveUse()
    nextMillisecond()
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    let shown = try Operations(home: core, Services(core), running: nil).ask("client/show", ["client": "tester"])
    #expect(shown["budgets"]?[0]?["used"] == 5)
    core.close()
  }

  /// A closed home whose app has used 3 of its budget, and whose keyring opens the key that it signs with.
  private func threeUsedBehindTheKeyring() throws -> (TestHome, App) {
    let (signer, app) = try budgeted()
    try signer.sealIdentity(under: .afterFirstUnlock)
    try TestKeyring.add(to: signer)
    for number in 0..<3 { #expect(isSigned(try signer.ask(app, "sign_event", [note("\(number)")]))) }
    signer.close()
    return (signer.home, app)
  }

  /// A request to sign, decided by a start while locked.
  private func decided(_ core: OpenedHome, _ app: App, _ number: Int) throws -> Exchange {
    let request = try app.request("sign_event", [note("\(number)")], now: Clock.seconds)
    guard case .decided(let exchange) = core.engine.receive(request, now: Clock.seconds) else { throw Missing() }
    return exchange
  }

  @Test("Uses made while locked since the start still count, whatever the clock did")
  func usesWhileLockedCountOn() throws {
    let (home, app) = try threeUsedBehindTheKeyring()
    let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    // Not in the log yet, as with every request under way; or dated before what was stored, by a clock that was set back.
    for number in 3..<5 { #expect(try decided(core, app, number).decision?.verdict == .allow) }
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    let shown = try Operations(home: core, Services(core), running: nil).ask("client/show", ["client": "tester"])
    #expect(shown["budgets"]?[0]?["used"] == 5)
    core.close()
  }

  @Test("Uses made while locked still count when a passphrase opens the next start")
  func usesWhileLockedCountAtAnUnlockedStart() throws {
    let (home, app) = try threeUsedBehindTheKeyring()
    let locked = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
    for number in 3..<5 {
      let exchange = try decided(locked, app, number)
      try locked.log.appendAndWait(.decided(exchange, time: Clock.milliseconds - 3_600_000))  // by a clock that was set back
    }
    locked.close()
    for _ in 0..<2 {
      let core = try home.core()
      let shown = try Operations(home: core, Services(core), running: nil).ask("client/show", ["client": "tester"])
      #expect(shown["budgets"]?[0]?["used"] == 5)
      #expect(try core.store.usageWhileUnread().isEmpty, "stored with all others")
      core.vault.close()
      core.close()
    }
  }

  @Test("Uses that could not be stored, for example on a full disk, are stored the next time")
  func usesThatAreNotStoredAreNotForgotten() throws {
    let (signer, app) = try budgeted()
    #expect(isSigned(try signer.ask(app, "sign_event", [note("1")])))
    signer.core.vault.close()
    signer.core.saveUse()
    #expect(signer.core.engine.takeCountedUsage().count == 1)
    signer.close()
  }

  // What is stored in the millisecond of a use counts it twice rather than never.
  private func nextMillisecond() {
    let now = Clock.milliseconds
    while Clock.milliseconds <= now {}
  }

  @Test("Rules whose time is over are removed") func rulesThatEndedAreRemovedByTheUpkeep() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    try signer.operations.ask("client/deny", ["client": "tester", "permission": "sign_event:1", "for": "5m"])
    #expect(signer.core.engine.removeExpiredRules(now: Clock.seconds + 301).map(\.grant.rules) == [[]])
    signer.close()
  }
}
