import Curve
import Encodings
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

/// What hostile clients tried against the embedded relay: whoever can reach the port, web pages among them.
@Suite(.serialized) struct AttackRelayTests {
  private let time = TestClock()

  private func server(_ change: (inout RelayLimits) -> Void = { _ in }) throws -> RelayServer {
    var limits = RelayLimits()
    change(&limits)
    return try RelayServer(limits, time: time)
  }

  private func keys(_ count: Int, from first: Int) -> [String] {
    (first..<first + count).map { Make.junk(0, author: $0).pubkey.hex }
  }

  private func request(_ name: String, filters: Int, values: Int, from first: Int) -> ClientMessage {
    .request(
      subscription: name,
      filters: (0..<filters).map { Filter(kinds: [24133], limit: 0, tags: ["p": keys(values, from: first + $0 * values)]) })
  }

  /// 32 subscriptions of 10 filters of 1,000 values would take 100 MiB for one connection.
  @Test("The filter values of one connection are limited") func whatOneConnectionSubscribesForIsBoundedInValues() throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    client.say(request("a", filters: 10, values: 900, from: 0))
    #expect(client.endOfStored("a"))
    client.say(request("b", filters: 10, values: 900, from: 0))
    #expect(client.closedText("b")?.hasPrefix("restricted: ") == true)
    client.say(request("a", filters: 9, values: 900, from: 50_000))
    #expect(client.endOfStored("a"), "a subscription may be replaced")
    client.say(request("c", filters: 1, values: 1, from: 0))
    #expect(client.endOfStored("c"), "a small one is welcome")
  }

  @Test("The filter values of all connections together are limited") func whatAllConnectionsSubscribeForIsBoundedInValues() throws
  {
    let server = try server { $0.allSubscriptionValues = 1_000 }
    defer { server.stop() }
    let (first, second) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    first.say(request("a", filters: 1, values: 900, from: 0))
    #expect(first.endOfStored("a"))
    second.say(request("b", filters: 1, values: 900, from: 0))
    #expect(second.closedText("b")?.hasPrefix("restricted: ") == true)
    first.hangUp()
    #expect(server.waitUntil { $0.counts.connections == 1 })
    second.say(request("c", filters: 1, values: 900, from: 0))
    #expect(second.endOfStored("c"), "what a client had is free when it is gone")
  }

  @Test("Long strings in filters count towards the memory limit for subscriptions")
  func longValuesAreWeighed() throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    func request(_ name: String, bytes: Int) -> ClientMessage {
      let long = String(repeating: "x", count: bytes)
      return .request(
        subscription: name, filters: [Filter(kinds: [24133], limit: 0, tags: ["p": [Make.key(1).publicKey.hex], "x": [long]])])
    }
    client.say(request("whole message", bytes: 1 << 20))
    #expect(client.closedText("whole message")?.hasPrefix("restricted: ") == true)
    for number in 0..<20 { client.say(request("\(number)", bytes: 100_000)) }
    #expect(client.endOfStored("0"))
    #expect(client.closedText("19")?.hasPrefix("restricted: ") == true)
    #expect(server.waitUntil { $0.counts.subscriptions == 6 }, "six times 100,000 bytes weigh nearly 10,000 values")
    #expect(client.listen(Make.key(2).publicKey), "a small one is welcome")
  }

  @Test("Each connection can subscribe to a few values even when others use all shared memory")
  func smallSubscriptionsAlwaysFit() throws {
    let server = try server { $0.allSubscriptionValues = 1_000 }
    defer { server.stop() }
    let (stranger, app) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    stranger.say(request("a", filters: 1, values: 900, from: 0))
    stranger.say(request("b", filters: 1, values: 158, from: 0))
    #expect(stranger.endOfStored("a") && stranger.endOfStored("b"))
    stranger.say(request("c", filters: 1, values: 10, from: 0))
    #expect(stranger.closedText("c")?.hasPrefix("restricted: ") == true)
    #expect(app.listen(Make.key(1).publicKey))
    app.say(request("b", filters: 1, values: 55, from: 0))
    #expect(app.endOfStored("b"))
    app.say(request("c", filters: 1, values: 10, from: 0))
    #expect(app.closedText("c")?.hasPrefix("restricted: ") == true)
    stranger.hangUp()
    #expect(server.waitUntil { $0.counts.connections == 1 })
    app.say(request("e", filters: 1, values: 900, from: 0))
    #expect(app.endOfStored("e"), "what a client had is free when it is gone")
  }

  @Test("Large events that strangers send to an app neither close its connection nor displace its answers")
  func junkForAnApp() throws {
    let server = try server { ($0.sendQueueBytes, $0.keptBytesForOneKey) = (200_000, 1 << 20) }
    defer { server.stop() }
    let (stranger, app) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    let answer = Make.event(by: Make.key(3), content: "an answer")
    server.relay.publish(answer)
    for number in 0..<12 {
      let junk = Make.event(by: Make.key(4), content: String(repeating: "\(number % 10)", count: 60_000) + "\(number)")
      stranger.say(.event(junk))
      #expect(stranger.ok(junk.id)?.accepted == true)
    }
    #expect(app.listen(Make.key(1).publicKey, limit: nil))
    #expect(app.events.first?.id == answer.id && app.events.count == 2)
  }

  @Test("An app with more stored answers than its connection can take gets the latest ones")
  func manyLargeAnswers() throws {
    let server = try server { $0.sendQueueBytes = 200_000 }
    defer { server.stop() }
    let answers = (0..<10).map {
      Make.event(by: Make.key(3), at: 1_700_000_000 + Int64($0), content: String(repeating: "c", count: 30_000))
    }
    for answer in answers { server.relay.publish(answer) }
    let app = try TestClient(server.loop, server.url)
    #expect(app.listen(Make.key(1).publicKey, limit: nil))
    #expect(app.events.map(\.id) == answers.suffix(3).reversed().map(\.id))
    #expect(app.listen(Make.key(1).publicKey, subscription: "two", limit: 2))
    #expect(app.events.count == 5)
  }

  @Test("Only a few events from others are stored for one key, and all are passed on") func littleIsKeptForOneKey() throws {
    let server = try server { $0.keptForOneKey = 4 }
    defer { server.stop() }
    let (stranger, app) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    #expect(app.listen(Make.key(1).publicKey))
    let events = (0..<10).map { Make.event(by: Make.key(4), content: "\($0)") }
    for event in events { stranger.say(.event(event)) }
    for event in events { #expect(stranger.ok(event.id)?.accepted == true && app.event(event.id) != nil) }
    #expect(server.relay.counts.kept == 4)
    server.relay.publish(Make.event(by: Make.key(3), content: "an answer"))
    #expect(server.relay.counts.kept == 5)
  }

  /// Looking through everything kept for thousands of values, again and again, would hold up the thread that owns all sockets.
  @Test("Expensive searches are limited") func expensiveSearchesAreRationed() throws {
    let server = try server { $0.searchSteps = 1_000_000 }
    defer { server.stop() }
    for number in 0..<1_000 { server.relay.publish(Make.unsigned(number)) }
    let client = try TestClient(server.loop, server.url)
    let authors = (0..<900).map { Make.junk(0, author: $0).pubkey }
    let filter = Filter(authors: authors, tags: ["p": [Make.key(1).publicKey.hex]])
    for number in 0..<3 {
      client.say(.request(subscription: "\(number)", filters: [filter]))
      client.say(.close(subscription: "\(number)"))
    }
    #expect(client.endOfStored("0"))
    #expect(client.closedText("2")?.hasPrefix("rate-limited: ") == true)
    #expect(client.listen(Make.key(5).publicKey), "a usual subscription costs next to nothing")
    time.advance(milliseconds: 60_000)
    client.say(.request(subscription: "later", filters: [filter]))
    #expect(client.endOfStored("later"))
  }

  @Test("Replacing a large subscription again and again is soon refused, and an app can still subscribe")
  func manyKeysAgainAndAgain() throws {
    let server = try server { $0.searchSteps = 1_000_000 }
    defer { server.stop() }
    let stranger = try TestClient(server.loop, server.url)
    let keys = (0..<900).map { Make.junk(0, author: $0).pubkey.hex }
    for number in 0..<40 {
      stranger.say(.request(subscription: number % 2 == 0 ? "a" : "b", filters: [Filter(kinds: [24133], tags: ["p": keys])]))
    }
    #expect(stranger.endOfStored("a"))
    #expect(stranger.closedText("a")?.hasPrefix("rate-limited: ") == true)
    let answered = stranger.log.withLock { log in
      log.messages.count { if case .endOfStored = $0 { true } else { false } }
    }
    #expect(answered <= 20)
    let app = try TestClient(server.loop, server.url)
    for number in 0..<32 { #expect(app.listen(Make.key(number).publicKey, subscription: "\(number)")) }
  }

  @Test("Repeated queries for stored events are limited fairly, and an app still gets its answers")
  func askingAgain() throws {
    let server = try server { ($0.searchSteps, $0.ownSearchSteps) = (0, 10_000) }
    defer { server.stop() }
    let stranger = try TestClient(server.loop, server.url)
    let junk = (0..<200).map { Make.event(by: Make.key(4), content: "\($0)") }
    for event in junk { stranger.say(.event(event)) }
    for event in junk { #expect(stranger.ok(event.id)?.accepted == true) }
    let answer = Make.event(by: Make.key(3), content: "an answer")
    server.relay.publish(answer)
    for number in 0..<20 {
      let filter = Filter(kinds: [24133], tags: ["p": [Make.key(1).publicKey.hex]])
      stranger.say(.request(subscription: "\(number)", filters: [filter]))
      let isOver = stranger.wait { message -> Bool? in
        switch message {
        case .endOfStored(let name), .closed(let name, _): name == "\(number)" ? true : nil
        default: nil
        }
      }
      #expect(isOver == true)
    }
    #expect(stranger.events.count < 200, "twenty times 201 events were asked for")
    let app = try TestClient(server.loop, server.url)
    #expect(app.listen(Make.key(1).publicKey, limit: nil))
    #expect(app.events.first?.id == answer.id)
  }

  @Test("Strangers who store many events for an app and exhaust the search limit do not block its subscription")
  func anAppSubscribesWhileSearchesAreUsedUp() throws {
    let server = try server { $0.searchSteps = 1_000_000 }
    defer { server.stop() }
    let stranger = try TestClient(server.loop, server.url)
    let answer = Make.event(by: Make.key(3), content: "an answer")
    server.relay.publish(answer)
    for number in 0..<10 {
      let junk = Make.event(by: Make.key(4), content: String(repeating: "\(number)", count: 90_000))
      stranger.say(.event(junk))
      #expect(stranger.ok(junk.id)?.accepted == true)
    }
    for number in 0..<256 { server.relay.publish(Make.event(to: Make.key(7).publicKey, content: "\(number)")) }
    // Each search takes 256 times as many steps as it has values, and 64 times as many for the values.
    for (number, count) in [900, 900, 900, 230, 200].enumerated() {
      let authors = (0..<count).map { Make.junk(0, author: $0).pubkey }
      let filter = Filter(authors: authors, tags: ["p": [Make.key(7).publicKey.hex]])
      stranger.say(.request(subscription: "\(number)", filters: [filter]))
      #expect(stranger.endOfStored("\(number)"))
      stranger.say(.close(subscription: "\(number)"))
    }
    let app = try TestClient(server.loop, server.url)
    app.say(.request(subscription: "s", filters: [Filter(kinds: [24133], tags: ["p": [Make.key(1).publicKey.hex]])]))
    let said = app.wait { message -> String? in
      switch message {
      case .endOfStored: "open"
      case .closed(_, let text): text
      default: nil
      }
    }
    #expect(said == "open")
    #expect(app.events.first?.id == answer.id)
    let next = Make.event(by: Make.key(3), content: "the next answer")
    server.relay.publish(next)
    #expect(app.event(next.id) != nil)
  }

  @Test(
    "Events that strangers send to an app do not block its subscriptions on one connection", arguments: [300, 2_000])
  func anAppSubscribesForSeveralKeys(size: Int) throws {
    let server = try server { ($0.searchSteps, $0.keptForOneKey) = (0, 200) }
    defer { server.stop() }
    let (stranger, app) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    let owners = (10..<20).map { Make.key($0).publicKey }
    for owner in owners {
      let junk = (0..<200).map { Make.event(by: Make.key(4), to: owner, content: "\($0)" + String(repeating: "c", count: size)) }
      for event in junk { stranger.say(.event(event)) }
      for event in junk { #expect(stranger.ok(event.id)?.accepted == true) }
    }
    for owner in owners {
      app.say(.request(subscription: owner.hex, filters: [Filter(kinds: [24133], tags: ["p": [owner.hex]])]))
    }
    for owner in owners {
      let said = app.wait { message -> String? in
        switch message {
        case .endOfStored(owner.hex): "open"
        case .closed(owner.hex, let text): text
        default: nil
        }
      }
      #expect(said == "open")
    }
  }

  /// Each may have 8 MiB waiting; five hundred of them would have 4 GiB.
  @Test("Clients that never read share one limit on memory") func clientsThatNeverReadAreBoundedTogether() throws {
    let server = try server {
      $0.sendQueueBytes = 64 << 20
      $0.allSendQueueBytes = 12 << 20
    }
    defer { server.stop() }
    let deaf = try (0..<3).map { _ in try DeafClient(port: server.listener.port) }
    let filter = Filter(kinds: [24133], tags: ["p": [Make.key(1).publicKey.hex]])
    for client in deaf {
      client.say(ClientMessage.request(subscription: "a subscription with a long name", filters: [filter]).json())
    }
    let listener = try TestClient(server.loop, server.url)
    #expect(listener.listen(Make.key(1).publicKey))
    #expect(server.waitUntil { $0.counts.subscriptions == 4 })
    let content = String(repeating: "c", count: 200_000)
    for number in 0..<100 where server.relay.counts.connections == 4 {
      let event = Make.event(at: 1_700_000_000 + Int64(number % 500), content: "\(number)" + content)
      server.relay.publish(event)
      #expect(listener.event(event.id) != nil)
    }
    #expect(server.waitUntil { $0.counts.connections < 4 })
    let small = Make.event(content: "small")
    server.relay.publish(small)
    #expect(listener.event(small.id) == small, "who reads is served")
  }

  /// Strangers who came first would else keep apps from sending long texts.
  @Test("Every connection may send a long message") func longMessagesAreForEveryConnection() throws {
    let server = try server()
    defer { server.stop() }
    let clients = try (0..<40).map { _ in try TestClient(server.loop, server.url) }
    let large = Make.event(content: String(repeating: "c", count: 1 << 20))
    clients[39].say(.event(large))
    #expect(clients[39].ok(large.id)?.accepted == true)
  }

  /// A relay with room for 10,000 bytes of events that wait to be checked, and the checks: they wait until the test runs them.
  private func serverThatWaits() throws -> (server: RelayServer, checks: Locked<[@Sendable () -> Void]>) {
    var limits = RelayLimits()
    limits.allBytesInFlight = 10_000
    let checks = Locked<[@Sendable () -> Void]>([])
    let server = try RelayServer(limits, time: time) { _, check in
      checks.change { $0.append(check) }
      return true
    }
    return (server, checks)
  }

  /// With the workers busy, events of many connections would pile up before them.
  @Test("Events that wait for verification are limited for all connections together")
  func whatWaitsToBeCheckedIsBoundedForAllTogether() throws {
    let (server, checks) = try serverThatWaits()
    defer { server.stop() }
    let clients = try (0..<2).map { _ in try TestClient(server.loop, server.url) }
    let events = (0..<2).map { Make.event(content: "\($0)" + String(repeating: "c", count: 6_000)) }
    clients[0].say(.event(events[0]))
    #expect(checks.wait(milliseconds: 20_000) { $0.count == 1 ? true : nil } == true)
    clients[1].say(.event(events[1]))
    #expect(clients[1].ok(events[1].id)?.message.hasPrefix("rate-limited: ") == true)
    for check in checks.withLock({ $0 }) { check() }
    #expect(clients[0].ok(events[0].id)?.accepted == true)
    clients[1].say(.event(events[1]))
    #expect(checks.wait(milliseconds: 20_000) { $0.count == 2 ? true : nil } == true, "there is room again")
  }

  @Test("An ordinary request is verified even while strangers' large events fill the queue")
  func smallEventsAlwaysPass() throws {
    let (server, checks) = try serverThatWaits()
    defer { server.stop() }
    let (stranger, app) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    stranger.say(.event(Make.event(content: String(repeating: "c", count: 9_400))))
    #expect(checks.wait(milliseconds: 20_000) { $0.count == 1 ? true : nil } == true)
    let request = Make.event(content: String(repeating: "r", count: 1_000))
    app.say(.event(request))
    #expect(checks.wait(milliseconds: 5_000) { $0.count == 2 ? true : nil } == true)
    for check in checks.withLock({ $0 }) { check() }
    #expect(app.ok(request.id)?.accepted == true)
  }
}
