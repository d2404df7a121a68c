import Curve
import Encodings
import Foundation
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

@Suite(.serialized) struct RelayPoolTests {
  private let time = TestClock()

  @Test("A request and its answer pass through the built-in relay")
  func carriesARequestAndItsAnswerThroughAnEmbeddedRelay() throws {
    let server = try RelayServer(time: time)
    defer { server.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try server.url])
    #expect(bench.waitUntilSubscribed([try server.url]))
    let client = try TestClient(server.loop, server.url)
    #expect(client.listen(Make.key(0).publicKey))
    let request = Make.event()
    client.say(.event(request))
    #expect(bench.waitForEvents(1) == [request])
    #expect(bench.publish(to: [try server.url]) == true)
    #expect(client.wait { if case .event(_, let event) = $0 { event.content } else { nil } } == "attempt 1")
    let health = try #require(bench.pool.health().first)
    #expect(health.state == .connected)
    #expect(health.received == 1)
    #expect(health.published == 1)
    #expect(health.lastOK != nil && health.history.hours.last?.accepted == health.published)
  }

  @Test("A dead relay does not matter while another works") func oneDeadRelayOfTwoDoesNotMatter() throws {
    let server = try RelayServer(time: time)
    defer { server.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    let dead = try WebSocketURL(parsing: "ws://127.0.0.1:1")
    bench.pool.setRelays([try server.url, dead])
    #expect(bench.waitUntilSubscribed([try server.url]))
    #expect(bench.publish(to: [dead, try server.url]) == true)
    #expect(bench.waitForHealth { $0.contains { $0.url == dead.text && $0.lastError == "the connection was refused" } })
    #expect(bench.publish(to: []) == false)
  }

  /// Asked anew before each connection; the owner's word is followed at once.
  @Test("A relay inside the network is contacted only with the owner's permission")
  func aRelayInsideTheNetworkIsLeftAloneUntilTheOwnerSaysSo() throws {
    let server = try RelayServer(time: time)
    defer { server.stop() }
    let isAllowed = Locked(false)
    let loop = try EventLoop()
    loop.start()
    let pool = RelayPool(
      loop: loop,
      hooks: .init(
        deliver: { _, _, handled in handled() }, authenticate: { _, _ in [] }, now: { 0 },
        mayReachInside: { _ in isAllowed.withLock { $0 } }), timing: PoolTiming())
    defer {
      loop.stop(within: 200)
      withExtendedLifetime(pool) {}  // it outlives its connections
    }
    let url = try server.url
    pool.setRelays([url])
    #expect(loop.waits { pool.health().contains(where: \.isRefusedInside) })
    let refused = try #require(pool.health().first)
    #expect(refused.awaySince == 0)
    #expect(refused.connects == 0 && refused.lastError?.contains("127.0.0.1") == true)
    isAllowed.change { $0 = true }
    pool.setRelays([url])
    #expect(loop.waits { pool.health().first?.state == .connected })
    #expect(pool.health().first?.awaySince == nil)
  }

  @Test("The same event from three relays is delivered once") func theSameEventFromThreeRelaysIsDeliveredOnce() throws {
    let servers = try (0..<3).map { _ in try RelayServer(time: time) }
    defer { for server in servers { server.stop() } }
    let bench = try PoolBench()
    defer { bench.stop() }
    let urls = try servers.map { try $0.url }
    bench.pool.setRelays(Set(urls))
    #expect(bench.waitUntilSubscribed(urls))
    let events = (0..<10).map { Make.event(content: "\($0)") }
    for event in events { for server in servers { server.relay.publish(event) } }
    let last = Make.event(content: "last")
    for server in servers { server.relay.publish(last) }
    let heard = try #require(bench.waitForEvents(11))
    #expect(bench.waitForHealth { $0.map(\.received).reduce(0, +) == 11 })
    #expect(Set(heard.map(\.id)).count == 11)
    #expect(heard.count == 11)
  }

  @Test("A forged copy of an event does not make the real one count as repeated")
  func aForgedCopyDoesNotKeepTheRealEventOut() throws {
    var recent = RecentEvents(limit: 2)
    let event = Make.event()
    let forged = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: Bytes32(), s: Bytes32()))
    let altered = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: "altered",
      signature: event.signature)
    // The last but one makes room, so that the first is new again.
    let isNew = [forged, event, event, altered, forged].map { recent.insert($0) }
    #expect(isNew == [true, true, false, true, true])
  }

  @Test("After a lost connection, the pool asks for missed events") func asksForWhatWasSentWhileItWasAway() throws {
    let relay = try FakeRelay(
      greeting: { number, socket in
        if number == 1 { socket.close(code: 1001) }
        return []
      }, FakeRelay.friendly)
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    let filters = relay.heard.wait(milliseconds: 20_000) { heard -> [Filter]? in
      for case .request(_, let filters) in heard { return filters }
      return nil
    }
    #expect(
      filters == [Filter(kinds: [24133], since: 1_700_000_000 - 300, tags: ["p": [Make.key(1).publicKey.hex]])])
    #expect(bench.waitForHealth { $0.first?.connects == 2 && $0.first?.state == .connected })
    #expect(bench.pool.health().first?.history.hours.last?.drops == 1)
  }

  @Test("An answer is sent again when the relay disconnects") func comesBackAndSendsAgainWhenARelayDropsMidRequest() throws {
    let relay = try FakeRelay { message, _, socket in
      guard case .event(let event) = message else { return FakeRelay.friendly(message, 0, socket) }
      if event.content == "attempt 1" {
        socket.close(code: 1011)
        return []
      }
      return [.ok(id: event.id, accepted: true, message: "")]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == true)
    #expect(relay.events.map(\.content) == ["attempt 1", "attempt 2"])
    #expect(relay.connects.withLock { $0 } == 2)
  }

  @Test("A refused answer is sent again as a new event", arguments: ["rate-limited: slow", "error: disk"])
  func triesAgainWithAFreshEvent(refusal: String) throws {
    let relay = try FakeRelay { message, _, socket in
      guard case .event(let event) = message, event.content != "attempt 4" else { return FakeRelay.friendly(message, 0, socket) }
      return [.ok(id: event.id, accepted: false, message: refusal)]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == true)
    #expect(relay.events.map(\.content) == ["attempt 1", "attempt 2", "attempt 3", "attempt 4"])
    #expect(bench.pool.health().first?.lastNotice == refusal)
  }

  @Test("An answer is given up after the last attempt") func givesUpAfterTheLastTry() throws {
    let relay = try FakeRelay { message, _, socket in
      guard case .event(let event) = message else { return FakeRelay.friendly(message, 0, socket) }
      return [.ok(id: event.id, accepted: false, message: "rate-limited: always")]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == false)
    #expect(relay.events.count == 6)
    #expect(bench.pool.health().first?.refused == 1)
  }

  @Test(
    "An answer that a relay rejects for good is not sent again",
    arguments: ["blocked: kind", "invalid: no", "restricted: no", "no prefix"]) func doesNotInsist(refusal: String) throws
  {
    let relay = try FakeRelay { message, _, socket in
      guard case .event(let event) = message else { return FakeRelay.friendly(message, 0, socket) }
      return [.ok(id: event.id, accepted: false, message: refusal)]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == false)
    #expect(relay.events.count == 1)
  }

  @Test("An answer that the relay already has counts as accepted") func aDuplicateIsAsGoodAsTaken() throws {
    let relay = try FakeRelay { message, _, socket in
      guard case .event(let event) = message else { return FakeRelay.friendly(message, 0, socket) }
      return [.ok(id: event.id, accepted: false, message: "duplicate: have it")]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == true)
  }

  @Test("A slow confirmation is awaited for a limited time") func aSlowOKIsWaitedForUpToItsLimit() throws {
    let relay = try FakeRelay { message, _, socket in
      guard case .event(let event) = message else { return FakeRelay.friendly(message, 0, socket) }
      let late = RelayMessage.ok(id: event.id, accepted: true, message: "").json()
      // A little later, and for the second event never.
      if event.kind == 24133, event.createdAt == 1_700_000_000 {
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { socket.send(late) }
      }
      return []
    }
    defer { relay.stop() }
    let bench = try PoolBench(change: { $0.okWithin = 2_000 })
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.publish(to: [try relay.url]) == true)
    #expect((bench.pool.health().first?.lastOK ?? 0) >= 150)
    let outcome = Locked<Bool?>(nil)
    bench.pool.publish(Make.event(at: 1), to: [try relay.url], refresh: { nil }) { taken in outcome.change { $0 = taken } }
    #expect(outcome.wait(milliseconds: 20_000) { $0 } == false)
  }

  @Test("The pool logs in to a built-in relay that requires it") func logsInToAnEmbeddedRelayThatAsksForIt() throws {
    let probe = try RelayServer(time: time)
    let port = probe.listener.port
    probe.stop()
    let server = try RelayServer(
      login: .init(addresses: ["ws://127.0.0.1:\(port)"], welcomes: { $0 == Make.key(2).publicKey }), time: time, port: port)
    defer { server.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try server.url])
    #expect(bench.publish(to: [try server.url]) == true)
    #expect(bench.waitUntilSubscribed([try server.url]))
    #expect(bench.pool.health().first?.lastNotice?.isEmpty == false)  // the other key was not welcome
  }

  @Test("A refused login is not repeated") func aLoginThatIsRefusedIsNotRepeated() throws {
    let server = try RelayServer(login: .init(addresses: ["ws://other.example"], welcomes: { _ in true }), time: time)
    defer { server.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try server.url])
    #expect(bench.waitForHealth { $0.first?.lastNotice?.hasPrefix("invalid: ") == true })
    #expect(server.relay.counts.subscriptions == 0)
  }

  @Test("The pool subscribes and publishes again after its login") func subscribesAndPublishesOnceItHasLoggedIn() throws {
    let secret = "challenge-\(Int.random(in: 0..<Int.max))"
    let state = Locked((logins: Set<PublicKey>(), refused: 0))
    let relay = try FakeRelay(greeting: { _, _ in [.auth(challenge: secret)] }) { message, _, socket in
      let isIn = state.withLock { $0.logins.count == 2 }
      switch message {
      case .auth(let event):
        let isRight = event.kind == 22242 && event.hasValidSignature && event.firstTag("challenge") == secret
        state.withLock { _ = $0.logins.insert(event.pubkey) }
        return [.ok(id: event.id, accepted: isRight, message: "")]
      case .request(let subscription, _) where !isIn:
        state.withLock { $0.refused += 1 }
        return [.closed(subscription: subscription, message: "auth-required: who are you")]
      case .event(let event) where !isIn: return [.ok(id: event.id, accepted: false, message: "auth-required: who are you")]
      default: return FakeRelay.friendly(message, 0, socket)
      }
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.publish(to: [try relay.url]) == true)
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(state.withLock { $0.logins } == [Make.key(1).publicKey, Make.key(2).publicKey])
    #expect(state.withLock { $0.refused } == 1)
  }

  @Test("A subscription that the relay ends is opened again") func asksAgainWhenARelayEndsTheSubscription() throws {
    let count = Locked(0)
    let relay = try FakeRelay { message, _, socket in
      guard case .request(let subscription, _) = message else { return FakeRelay.friendly(message, 0, socket) }
      let number = count.change { count in
        count += 1
        return count
      }
      return number < 4
        ? [.closed(subscription: subscription, message: "error: shutting down idle ones")]
        : [.endOfStored(subscription: subscription)]
    }
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitForHealth { $0.first?.refusal == "error: shutting down idle ones" })
    #expect(count.wait(milliseconds: 20_000) { $0 == 4 ? true : nil } == true)
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(bench.pool.health().first?.connects == 1)
    #expect(bench.waitForHealth { $0.first?.refusal == nil }, "it takes the subscription now")
  }

  @Test("Notices from relays are made printable and cut") func noticesAreKeptFitToShow() throws {
    let relay = try FakeRelay(
      greeting: { _, _ in [.notice("be\u{1b}[31m quiet" + String(repeating: "!", count: 500))] }, FakeRelay.friendly)
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitForHealth { $0.first?.lastNotice?.hasPrefix("be?[31m quiet!!") == true })
    #expect(bench.pool.health().first?.lastNotice?.utf8.count == 200)
  }

  @Test("A long list of keys is split over several subscriptions") func splitsALongListOfKeys() throws {
    let relay = try FakeRelay(FakeRelay.friendly)
    defer { relay.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    let keys = (0..<1_201).map { Make.junk(0, author: $0).pubkey }
    bench.pool.setKeys(keys)
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    let asked = relay.heard.withLock { heard in
      heard.compactMap { if case .request(_, let filters) = $0 { filters.first?.tags["p"] } else { nil } }
    }
    #expect(asked.map(\.count) == [500, 500, 201])
    #expect(Set(asked.joined()) == Set(keys.map(\.hex)))
    bench.pool.setKeys([keys[0]])
    let closes = relay.heard.wait(milliseconds: 20_000) { heard -> [String]? in
      let closes = heard.compactMap { if case .close(let name) = $0 { name } else { nil } }
      return closes.count == 2 ? closes : nil
    }
    #expect(closes == ["hf1", "hf2"])
  }

  @Test("A flood of events is held back until earlier ones are handled")
  func aFloodOfEventsIsHeldBackUntilTheyAreHandled() throws {
    let relay = try FakeRelay { message, _, socket in
      guard case .request(let subscription, _) = message else { return FakeRelay.friendly(message, 0, socket) }
      let events = (0..<1_500).map { RelayMessage.event(subscription: subscription, Make.junk($0)) }
      return [.endOfStored(subscription: subscription)] + events
    }
    defer { relay.stop() }
    let bench = try PoolBench(handles: false)
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitForEvents(RelayConnection.maximumInFlight) != nil)
    let settled = Locked(false)
    bench.loop.after(milliseconds: 200) { settled.change { $0 = true } }
    _ = settled.wait(milliseconds: 20_000) { $0 ? true : nil }
    #expect(bench.log.withLock { $0.events.count } == RelayConnection.maximumInFlight)
    for expected in [1_024, 1_500] {
      let handled = bench.log.withLock { log in
        defer { log.unhandled = [] }
        return log.unhandled
      }
      for one in handled { one() }
      #expect(bench.waitForEvents(min(expected, 1_500)) != nil)
    }
  }

  @Test("The wait grows with each failure up to a limit") func waitsLongerAfterEachFailureUpToALimit() {
    var timing = PoolTiming()
    timing.jitter = { 0.999 }
    let waits = (0..<15).map { timing.reconnect(after: $0) }
    #expect(waits == waits.sorted())
    #expect((990...1_000).contains(waits[0]))
    #expect((590_000...600_000).contains(waits[14]))
    timing.jitter = { 0 }
    #expect(timing.reconnect(after: 0) == 500)
    #expect(timing.reconnect(after: .max) == 300_000)
  }

  @Test("A relay that is no longer wanted is disconnected") func leavesARelayThatIsNotWantedAnyMore() throws {
    let server = try RelayServer(time: time)
    defer { server.stop() }
    let bench = try PoolBench()
    defer { bench.stop() }
    bench.pool.setRelays([try server.url])
    #expect(bench.waitUntilSubscribed([try server.url]))
    bench.pool.setRelays([])
    #expect(server.waitUntil { $0.counts.connections == 0 })
    #expect(bench.pool.health().isEmpty)
    #expect(bench.publish(to: [try server.url]) == false)
  }

  @Test("The owner's relays are kept when there are too many") func theOwnersRelaysAreKeptWhenThereAreTooMany() throws {
    let bench = try PoolBench()
    defer { bench.stop() }
    let others = try (0..<RelayPool.maximumRelays).map { try WebSocketURL(parsing: "ws://127.0.0.1:1/a\($0)") }
    let owners = try WebSocketURL(parsing: "ws://127.0.0.1:1/z")
    bench.pool.setRelays(Set(others + [owners]), first: [owners])
    #expect(bench.waitForHealth { $0.count == RelayPool.maximumRelays && $0.contains { $0.url == owners.text } })
  }

  @Test("The pool reports when a relay connects and disconnects") func tellsWhenARelayComesAndGoes() throws {
    let bench = try PoolBench()
    defer { bench.stop() }
    let server = try RelayServer()
    bench.pool.setRelays([try server.url])
    #expect(bench.waitUntilSubscribed([try server.url]))
    let before = bench.changes.withLock { $0 }
    server.stop()
    #expect(before >= 1 && bench.changes.wait(milliseconds: 20_000) { $0 > before ? true : nil } == true)
  }
}
