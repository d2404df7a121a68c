import Curve
import Dispatch
import Encodings
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

/// What hostile relays tried against the pool.
@Suite(.serialized) struct AttackPoolTests {
  /// Each login costs a signature for every key, on the thread that owns all sockets.
  @Test("A relay that sends many login challenges gets only a few answers")
  func aStormOfChallengesIsAnsweredAFewTimesOnly() throws {
    let storm = (0..<300).map { RelayMessage.auth(challenge: "challenge \($0)") }
    let relay = try FakeRelay(greeting: { _, _ in storm }, FakeRelay.friendly)
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == true)
    let logins = relay.heard.withLock { $0.reduce(0) { if case .auth = $1 { $0 + 1 } else { $0 } } }
    #expect((2...20).contains(logins), "\(logins) logins")
  }

  @Test("An overlong login challenge from a relay is not signed") func aLongChallengeIsNotSigned() throws {
    let long = RelayMessage.auth(challenge: String(repeating: "a", count: NIP42.longestChallenge + 1))
    let relay = try FakeRelay(greeting: { _, _ in [long] }, FakeRelay.friendly)
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == true)
    #expect(!relay.heard.withLock { $0.contains { if case .auth = $0 { true } else { false } } })
  }

  /// A subscription that we never made: its end is no reason to ask again.
  @Test("The end of an unknown subscription changes nothing") func theEndOfAnUnknownSubscriptionChangesNothing() throws {
    let mark = Make.event(content: "mark")
    let relay = try FakeRelay { message, count, socket in
      guard case .request(let name, _) = message else { return FakeRelay.friendly(message, count, socket) }
      let ends = ["a", "hf1", "hf", "hf00", ""].map { RelayMessage.closed(subscription: $0, message: "") }
      return [.endOfStored(subscription: name)] + ends + [.event(subscription: name, mark)]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitForEvents(1) == [mark])
    #expect(relay.heard.wait(milliseconds: 500) { $0.count > 1 ? true : nil } == nil, "it was asked once")
    #expect(bench.waitUntilSubscribed([try relay.url]))
  }

  /// A relay ends a subscription without end: the time of the next attempt stands.
  @Test("Repeated ends of a subscription do not delay the next attempt")
  func aStormOfEndedSubscriptionsDoesNotPutOffTheNextAttempt() throws {
    let relay = try FakeRelay { message, count, socket in
      guard case .request(let name, _) = message else { return [] }
      if count == 1 { Self.close(name, on: socket, 2_000) }
      return []
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(relay.heard.wait(milliseconds: 2_500) { $0.count > 1 ? true : nil } == true)
  }

  /// Says every two milliseconds that a subscription has ended.
  private static func close(_ name: String, on socket: WebSocket, _ times: Int) {
    guard times > 0, socket.send(RelayMessage.closed(subscription: name, message: "").json()) else { return }
    clock.asyncAfter(deadline: .now() + .milliseconds(2)) { close(name, on: socket, times - 1) }
  }
  private static let clock = DispatchQueue(label: "storm")

  /// Each message costs time of the one thread that serves the sockets.
  @Test("A relay that sends only useless messages is disconnected") func aRelayWithUselessMessagesIsLeft() throws {
    try expectLeft { .closed(subscription: "\($0)", message: "") }
  }

  @Test("A relay that keeps sending events nobody asked for is disconnected") func aRelayWithOtherEventsIsLeft() throws {
    let other = Event(
      id: Make.junk(1).id, pubkey: Make.junk(1).pubkey, createdAt: 1_700_000_000, kind: 1, tags: [], content: "",
      signature: Make.junk(1).signature)
    try expectLeft { _ in .event(subscription: "hf0", other) }
  }

  /// A relay that says so much at its first connection is left, and the owner reads why.
  private func expectLeft(_ message: @escaping @Sendable (Int) -> RelayMessage) throws {
    let relay = try FakeRelay(
      greeting: { number, _ in number > 1 ? [] : (0...RelayConnection.uselessPerMinute).map(message) }, FakeRelay.friendly)
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(relay.connects.wait(milliseconds: 20_000) { $0 > 1 ? true : nil } == true)
    #expect(bench.pool.health().first?.lastError?.contains("change nothing") == true, "\(bench.pool.health())")
  }

  /// The relay that is first with an event changes its content and leaves id and signature: the real one must still count as new.
  @Test("An altered copy of an event does not block the real one") func aChangedCopyDoesNotKeepTheRealEventOut() throws {
    let real = Make.event(content: "real")
    let forged = Event(
      id: real.id, pubkey: real.pubkey, createdAt: real.createdAt, kind: real.kind, tags: real.tags, content: "forged",
      signature: real.signature)
    let mark = Make.event(content: "mark")
    @Sendable func relay(_ events: [Event]) throws -> FakeRelay {
      try FakeRelay { message, count, socket in
        guard case .request(let name, _) = message else { return FakeRelay.friendly(message, count, socket) }
        return events.map { .event(subscription: name, $0) } + [.endOfStored(subscription: name)]
      }
    }
    let (evil, good) = (try relay([forged, mark]), try relay([real]))
    defer {
      evil.stop()
      good.stop()
    }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try evil.url])
    #expect(bench.log.wait(milliseconds: 20_000) { $0.events.contains { $0.event == mark } ? true : nil } == true)
    bench.pool.setRelays([try evil.url, try good.url])
    #expect(bench.log.wait(milliseconds: 20_000) { $0.events.contains { $0.event == real } ? true : nil } == true)
  }

  /// An app and a relay that work together: large answers that the relay never takes.
  @Test("Answers that no relay accepts use bounded memory") func answersThatNobodyTakesAreBoundedInBytes() throws {
    let bench = try PoolBench { $0.queuedWithin = 600_000 }
    defer { bench.stop() }
    let dead = try WebSocketURL(parsing: "ws://127.0.0.1:1")
    bench.pool.setRelays([dead])
    let content = String(repeating: "x", count: 1 << 20)
    let outcomes = Locked<[Bool]>([])
    for number in 0..<100 {
      let event = Make.large(number, content)
      bench.pool.publish(event, to: [dead], refresh: { event }) { taken in outcomes.change { $0.append(taken) } }
    }
    #expect(outcomes.wait(milliseconds: 20_000) { $0.count >= 60 ? $0 : nil }?.allSatisfy { !$0 } == true)
  }

  /// A relay that takes everything and never says OK.
  @Test("Answers that a relay never confirms are limited in number")
  func answersThatARelayNeverAcknowledgesAreBoundedInNumber() throws {
    let relay = try FakeRelay { message, count, socket in
      if case .event = message { [] } else { FakeRelay.friendly(message, count, socket) }
    }
    defer { relay.stop() }
    let bench = try PoolBench { $0.okWithin = 600_000 }
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    let outcomes = Locked<[Bool]>([])
    for number in 0..<2_500 {
      let event = Make.large(number, "x")
      bench.pool.publish(event, to: [try relay.url], refresh: { event }) { taken in outcomes.change { $0.append(taken) } }
    }
    #expect(outcomes.wait(milliseconds: 20_000) { $0.count >= 400 ? true : nil } == true)
  }

  /// 512 events of 4 MiB would be 2 GiB: reading stops after 8 MiB, and goes on when half of that is handled.
  @Test("Reading pauses when large events wait to be handled") func largeEventsAreHeldBackByTheirBytes() {
    var inFlight = InFlight()
    let pauses = (0..<60).map { _ in inFlight.begin(200_000) }
    #expect(pauses.filter { $0 }.count == 1 && (30...45).contains(pauses.firstIndex(of: true) ?? 0))
    let resumes = (0..<60).map { _ in inFlight.end(200_000) }
    #expect(resumes.filter { $0 }.count == 1 && (15...45).contains(resumes.firstIndex(of: true) ?? 0))
  }

  /// An app's link names a relay of its own choice. It must not learn the keys of all other apps' pairings.
  @Test("A relay that an app chose learns only the keys of that app") func aRelayLearnsOnlyOfItsOwnKeys() throws {
    let (owners, apps) = (try FakeRelay(FakeRelay.friendly), try FakeRelay(FakeRelay.friendly))
    defer {
      owners.stop()
      apps.stop()
    }
    let bench = try PoolBench()
    defer { bench.stop() }
    let keys = (1...3).map { Make.key($0).publicKey }
    bench.pool.setKeys(keys, only: [try apps.url: [keys[2]]])
    bench.pool.setRelays([try owners.url, try apps.url])
    #expect(bench.waitUntilSubscribed([try owners.url, try apps.url]))
    func asked(_ relay: FakeRelay) -> [[String]] {
      relay.heard.withLock { heard in
        heard.compactMap { if case .request(_, let filters) = $0 { filters.flatMap { $0.tags["p"] ?? [] } } else { nil } }
      }
    }
    #expect(asked(owners) == [keys.map(\.hex)])
    #expect(asked(apps) == [[keys[2].hex]])
    bench.pool.setKeys(keys + [Make.key(4).publicKey], only: [try apps.url: [keys[2]]])
    #expect(owners.heard.wait(milliseconds: 20_000) { $0.count == 2 ? true : nil } == true)
    #expect(asked(apps).count == 1, "what others pair is no news there")
    // Nor when the relay is about to be left, because no pairing uses it any more.
    bench.pool.setKeys([keys[0], keys[1]], at: [try owners.url])
    #expect(owners.heard.wait(milliseconds: 20_000) { $0.count == 3 ? true : nil } == true)
    let isClosed = apps.heard.wait(milliseconds: 20_000) { heard in
      heard.contains { if case .close("hf0") = $0 { true } else { false } } ? true : nil
    }
    #expect(isClosed == true)
    #expect(asked(apps).count == 1)
  }
}

extension Make {
  /// An event with an id of its own that nobody signed.
  static func large(_ number: Int, _ content: String) -> Event {
    let template = junk(number)
    return Event(
      id: template.id, pubkey: template.pubkey, createdAt: template.createdAt, kind: 24133, tags: template.tags, content: content,
      signature: template.signature)
  }

  /// An event with the right id that nobody signed.
  static func unsigned(_ number: Int) -> Event {
    let event = UnsignedEvent(
      pubkey: key(0).publicKey, createdAt: 1_700_000_000, kind: 24133, tags: [["p", key(1).publicKey.hex]], content: "\(number)")
    return Event(
      id: event.id(), pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
      content: event.content, signature: Signature(r: Bytes32(), s: Bytes32()))
  }
}
