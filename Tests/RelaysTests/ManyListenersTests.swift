import Curve
import Encodings
import Foundation
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

/// What an event costs where strangers made many subscriptions. Times are compared with each other, never with a limit.
@Suite(.serialized) struct ManyListenersTests {
  private let relay = EmbeddedRelay(hooks: .init(work: { _, _ in true }, deliver: { _, _ in }, now: { 1_700_000_000 }))

  private func subscribe(_ client: EmbeddedConnection, _ name: String, _ keys: [String]) {
    relay.requested(name, [Filter(kinds: [24133], limit: 0, tags: ["p": keys])], by: client)
  }

  /// Microseconds of this thread's work.
  private func cost(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
    let start = now()
    body()
    return now() - start
  }

  private func keys(_ count: Int, from first: Int = 100) -> [String] {
    (first..<first + count).map { Make.junk(0, author: $0).pubkey.hex }
  }

  private func cost(of event: Event) -> Double {
    cost { relay.accept(event, EmbeddedRelay.recipients(of: event), isAnswer: false) }
  }

  private let count = Locked(0)

  /// One that the relay does not know yet.
  private func event(_ keys: [String]) -> Event {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return Make.event(tags: keys.map { ["p", $0] }, content: "\(number)")
  }

  /// - Returns: what an event to eight keys costs where so many subscriptions name all of them.
  private func costOfEvent(subscriptions: Int) -> Double {
    let names = keys(8)
    var clients: [EmbeddedConnection] = []
    for number in 0..<subscriptions {
      if number % 32 == 0 { clients.append(EmbeddedConnection(relay, .unknown)) }
      subscribe(clients[clients.count - 1], "\(number)", names)
    }
    let costs = (0..<3).map { _ in cost(of: event(names)) }
    for client in clients { relay.gone(client) }
    return costs.min() ?? 0
  }

  @Test("The cost of an event for several keys grows linearly with its listeners")
  func severalKeys() {
    _ = costOfEvent(subscriptions: 32)
    let (few, many) = (costOfEvent(subscriptions: 64), costOfEvent(subscriptions: 2_048))
    #expect(many < few * 32 * 6, "\(few) µs for 64 subscriptions, \(many) µs for 2,048")
  }

  @Test("Once the limit for strangers is used up, an event costs little despite thousands of their subscriptions")
  func strangersByTheThousand() {
    let key = keys(1)
    func costs(_ count: Int) -> Double {
      var clients: [EmbeddedConnection] = []
      for number in 0..<count {
        if number % 32 == 0 { clients.append(EmbeddedConnection(relay, .unknown)) }
        subscribe(clients[clients.count - 1], "\(number)", key)
      }
      while relay.state.withLock({ $0.copies.take(relay.copyRate, now: relay.clock()) }) {}
      let costs = (0..<3).map { _ in cost(of: event(key)) }
      for client in clients { relay.gone(client) }
      return costs.min() ?? 0
    }
    _ = costs(64)
    let (few, many) = (costs(64), costs(8_192))
    #expect(many < few * 20, "\(few) µs for 64 subscriptions, \(many) µs for 8,192")
  }

  @Test("An event stays cheap when it and the subscriptions name the maximum of keys")
  func strangersForManyKeys() {
    let names = keys(relay.limits.tags)
    func costs(_ count: Int) -> Double {
      let clients = (0..<count).map { _ in EmbeddedConnection(relay, .unknown) }
      for client in clients { subscribe(client, "s", names) }
      while relay.state.withLock({ $0.copies.take(relay.copyRate, now: relay.clock()) }) {}
      let costs = (0..<3).map { _ in cost(of: event(names)) }
      for client in clients { relay.gone(client) }
      return costs.min() ?? 0
    }
    _ = costs(65)
    let (few, many) = (costs(65), costs(1_024))
    #expect(many < few * 4, "\(few) µs for 65 connections, \(many) µs for 1,024")
  }

  @Test("Strangers who subscribe to all events do not delay a new app's first answer")
  func openSubscriptions() throws {
    var limits = RelayLimits()
    (limits.copyBurst, limits.copiesPerSecond) = (0, 0)
    let server = try RelayServer(limits)
    defer { server.stop() }
    for stranger in try (0..<2).map({ _ in try TestClient(server.loop, server.url) }) {
      for number in 0..<32 {
        stranger.say(.request(subscription: "\(number)", filters: [Filter(ids: [Make.junk(number).id])]))
        #expect(stranger.endOfStored("\(number)"))
      }
    }
    let app = try TestClient(server.loop, server.url)
    #expect(app.listen(Make.key(1).publicKey))
    let answer = Make.event(by: Make.key(3), content: "ack")
    server.relay.publish(answer)
    app.say(.request(subscription: "end", filters: [Filter(kinds: [24133], limit: 0, tags: ["p": [Make.key(5).publicKey.hex]])]))
    #expect(app.endOfStored("end"))
    #expect(app.events.map(\.id) == [answer.id])
  }

  @Test("An event costs no more when its listeners also named a thousand other keys")
  func manyValues() {
    func costs(_ values: Int) -> Double {
      let (clients, key) = ((0..<20).map { _ in EmbeddedConnection(relay, .unknown) }, keys(1))
      for client in clients { subscribe(client, "s", keys(values, from: 1_000) + key) }
      let others = keys(15, from: 50_000)
      let costs = (0..<5).map { _ in cost(of: event(others + key)) }
      for client in clients { relay.gone(client) }
      return costs.min() ?? 0
    }
    _ = costs(1)
    let (few, many) = (costs(1), costs(900))
    #expect(many < few * 8, "\(few) µs for 2 keys each, \(many) µs for 901")
  }

  @Test("A filter stored as sets matches the same events as the original filter")
  func sameAsFilter() {
    let events = [
      Make.event(), Make.event(at: 5), Make.event(tags: [["p", "a"], ["x", "e\u{301}"]]),
      Make.event(tags: [["p"], ["x", "\u{e9}"]]),
      Make.event(tags: [["\u{212a}", "1"]]), Make.event(tags: []), Make.event(kind: 1),
    ]
    let filters = [
      Filter(), Filter(kinds: []), Filter(kinds: [24133]), Filter(since: 6), Filter(until: 5), Filter(ids: [events[0].id]),
      Filter(ids: []), Filter(authors: [events[0].pubkey]), Filter(authors: []), Filter(tags: ["x": ["\u{e9}"]]),
      Filter(tags: ["x": ["e\u{301}"], "p": ["a"]]), Filter(tags: ["p": []]), Filter(tags: ["K": ["1"]]),
    ]
    for filter in filters {
      let matcher = FilterMatcher(filter)
      for event in events { #expect(matcher.matches(event) == filter.matches(event), "\(filter) \(event.tags)") }
    }
  }

  @Test("An app still gets its answers when hundreds of strangers have used up their limit")
  func strangersByTheHundred() throws {
    var limits = RelayLimits()
    (limits.copyBurst, limits.copiesPerSecond, limits.connectionsPerApp) = (100, 0, 1)
    let server = try RelayServer(limits)
    defer { server.stop() }
    let key = Make.key(1)
    server.relay.setApps([key.publicKey])
    let app = try TestClient(server.loop, server.url)
    let strangers = try (0..<4).map { _ in try TestClient(server.loop, server.url) }
    let request = Make.event(by: key, to: Make.key(3).publicKey)
    app.say(.event(request))
    #expect(app.ok(request.id)?.accepted == true)
    #expect(app.listen(key.publicKey))
    for client in strangers {
      for number in 0..<20 { #expect(client.listen(key.publicKey, subscription: "\(number)")) }
    }
    let answers = (0..<2).map { Make.event(by: Make.key(3), content: "\($0)") }
    for answer in answers {
      server.relay.publish(answer)
      #expect(app.event(answer.id) != nil)
    }
    for client in strangers {
      #expect(client.event(answers[0].id) != nil)
      #expect(client.listen(Make.key(5).publicKey, subscription: "19"))
    }
    // One connection that only claims to be the app's counts as its.
    #expect(strangers.count { $0.events.contains { $0.id == answers[1].id } } <= 1)
  }
}
