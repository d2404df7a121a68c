import Curve
import Encodings
import Foundation
import JSON
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

@Suite(.serialized) struct EmbeddedRelayTests {
  private let time = TestClock()

  private func server(_ change: (inout RelayLimits) -> Void = { _ in }) throws -> RelayServer {
    var limits = RelayLimits()
    change(&limits)
    return try RelayServer(limits, time: time)
  }

  /// A server that counts the signature checks, and does them at once.
  private func counting(_ checks: Locked<Int>, _ change: (inout RelayLimits) -> Void) throws -> RelayServer {
    var limits = RelayLimits()
    change(&limits)
    return try RelayServer(limits, time: time) { _, job in
      checks.withLock { $0 += 1 }
      job()
      return true
    }
  }

  @Test("A connection that sends requests too fast is refused until it waits") func asksHaveARate() throws {
    let server = try server { ($0.requestBurst, $0.requestsPerSecond) = (3, 1) }
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    func ask(_ name: String) {
      client.say(##"["REQ","\##(name)",{"kinds":[24133],"#p":["\##(Make.key(1).publicKey.hex)"]}]"##)
    }
    for number in 0..<4 { ask("s\(number)") }
    #expect(client.endOfStored("s2"))
    #expect(client.closedText("s3")?.hasPrefix("rate-limited:") == true)
    time.advance(milliseconds: 1_000)
    ask("s4")
    #expect(client.endOfStored("s4"))
  }

  @Test("An event is delivered to its recipient") func carriesAnEventToItsRecipient() throws {
    let server = try server()
    defer { server.stop() }
    let listener = try TestClient(server.loop, server.url)
    #expect(listener.listen(Make.key(1).publicKey))
    let stranger = try TestClient(server.loop, server.url)
    #expect(stranger.listen(Make.key(2).publicKey))
    let sender = try TestClient(server.loop, server.url)
    let event = Make.event()
    sender.say(.event(event))
    #expect(sender.ok(event.id).map { $0.accepted && $0.message.isEmpty } == true)
    #expect(listener.event(event.id) == event)
    let second = Make.event(to: Make.key(2).publicKey)
    sender.say(.event(second))
    #expect(stranger.event(second.id) == second)
    #expect(stranger.events.count == 1)
    #expect(listener.events.count == 1)
  }

  @Test(
    "A refused event gets a reason with a prefix and a sentence",
    arguments: [
      ("blocked:", Make.event(kind: 1)), ("blocked:", Make.event(kind: 24134)), ("invalid:", Make.event(tags: [])),
      ("invalid:", Make.event(tags: [["p"], ["p", "abcd"]])), ("invalid:", Make.event(at: 1_700_000_000 - 601)),
      ("invalid:", Make.event(at: 1_700_000_000 + 601)), ("invalid:", Make.event(at: .max)), ("invalid:", Make.event(at: 0)),
      ("invalid:", Make.event(tags: (0..<17).map { _ in ["p", Make.key(1).publicKey.hex] })),
      ("invalid:", Make.junk(1)),
      (
        "invalid:",
        {
          let good = Make.event()
          return Event(
            id: good.id, pubkey: good.pubkey, createdAt: good.createdAt, kind: good.kind, tags: good.tags, content: "other",
            signature: good.signature)
        }()
      ),
    ])
  func refusesWithAPrefixAndASentence(prefix: String, event: Event) throws {
    let server = try server()
    defer { server.stop() }
    let listener = try TestClient(server.loop, server.url)
    #expect(listener.listen(Make.key(1).publicKey))
    let sender = try TestClient(server.loop, server.url)
    sender.say(.event(event))
    let answer = try #require(sender.ok(event.id))
    #expect(!answer.accepted)
    #expect(answer.message.hasPrefix(prefix + " "))
    #expect(listener.events.isEmpty)
    #expect(server.relay.counts.kept == 0)
    #expect(server.delivered.withLock { $0.isEmpty })
  }

  @Test("An event from a clock that is ten minutes off is accepted", arguments: [-600, 600])
  func takesAClockThatIsTenMinutesOff(skew: Int64) throws {
    let server = try server()
    defer { server.stop() }
    let sender = try TestClient(server.loop, server.url)
    let event = Make.event(at: 1_700_000_000 + skew)
    sender.say(.event(event))
    #expect(sender.ok(event.id)?.accepted == true)
  }

  @Test("A repeated event is a duplicate and is sent to nobody") func aSecondCopyIsADuplicateAndGoesToNobody() throws {
    let server = try server()
    defer { server.stop() }
    let listener = try TestClient(server.loop, server.url)
    #expect(listener.listen(Make.key(1).publicKey))
    let event = Make.event()
    for number in 0..<2 {
      let sender = try TestClient(server.loop, server.url)
      sender.say(.event(event))
      let answer = try #require(sender.ok(event.id))
      #expect(answer.accepted)
      #expect(answer.message.hasPrefix("duplicate:") == (number == 1))
    }
    #expect(listener.event(event.id) != nil)
    #expect(listener.events.count == 1)
  }

  @Test("A forged copy of an event does not block the real one") func aForgedCopyDoesNotKeepTheRealOneOut() throws {
    let server = try server()
    defer { server.stop() }
    let event = Make.event()
    let forged = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: Bytes32(), s: Bytes32()))
    let forger = try TestClient(server.loop, server.url)
    forger.say(.event(forged))
    #expect(forger.ok(event.id)?.accepted == false)
    let sender = try TestClient(server.loop, server.url)
    sender.say(.event(event))
    #expect(sender.ok(event.id).map { $0.accepted && $0.message.isEmpty } == true)
  }

  @Test("Stored events are sent newest first") func replaysWhatIsKeptTheNewestFirst() throws {
    let server = try server()
    defer { server.stop() }
    let events = (0..<5).map { Make.event(at: 1_700_000_000 + $0) }
    for event in events { server.relay.publish(event) }
    server.relay.publish(Make.event(to: Make.key(2).publicKey))
    func replay(_ limit: Int?, since: Int64? = nil) throws -> [Bytes32] {
      let client = try TestClient(server.loop, server.url)
      client.say(
        .request(
          subscription: "r",
          filters: [Filter(kinds: [24133], since: since, limit: limit, tags: ["p": [Make.key(1).publicKey.hex]])]))
      #expect(client.endOfStored("r"))
      return client.events.map(\.id)
    }
    #expect(try replay(nil) == events.reversed().map(\.id))
    #expect(try replay(2) == events.suffix(2).reversed().map(\.id))
    #expect(try replay(0) == [])
    #expect(try replay(nil, since: 1_700_000_003) == events.suffix(2).reversed().map(\.id))
    time.advance(milliseconds: 601_000)
    #expect(try replay(nil) == [])
    #expect(server.relay.counts.kept == 0)
  }

  @Test("Only the newest events are kept, within the limits") func keepsTheNewestWithinItsBounds() throws {
    let server = try server {
      $0.keptEvents = 3
    }
    defer { server.stop() }
    for number in 0..<10 { server.relay.publish(Make.event(at: 1_700_000_000 + Int64(number))) }
    #expect(server.relay.counts.kept == 3)
    let small = try self.server { $0.keptBytes = 20_000 }
    defer { small.stop() }
    for number in 0..<10 {
      small.relay.publish(Make.event(at: 1_700_000_000 + Int64(number), content: String(repeating: "c", count: 5_000)))
    }
    #expect((1...3).contains(small.relay.counts.kept))
  }

  @Test("A closed or replaced subscription gets no more events") func aClosedOrReplacedSubscriptionHearsNothingMore() throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    #expect(client.listen(Make.key(1).publicKey))
    #expect(client.listen(Make.key(2).publicKey, subscription: "t"))
    client.say(.close(subscription: "s"))
    client.say(.request(subscription: "t", filters: [Filter(limit: 0, tags: ["p": [Make.key(3).publicKey.hex]])]))
    #expect(client.listen(Make.key(4).publicKey, subscription: "u"))  // by now the two before are done
    let heard = Make.event(to: Make.key(3).publicKey)
    #expect(server.reach(Make.event(to: Make.key(1).publicKey)) == 0)
    #expect(server.reach(Make.event(to: Make.key(2).publicKey)) == 0)
    #expect(server.reach(heard) == 1)
    #expect(client.event(heard.id) != nil)
    client.hangUp()
    #expect(client.log.wait(milliseconds: 20_000) { $0.end } == .closedHere(code: 1000))
    #expect(server.waitUntil { $0.counts.subscriptions == 0 })
    #expect(server.relay.counts.subscriptions == 0)
    #expect(server.relay.counts.connections == 0)
  }

  @Test(
    "Filters that would show other people's traffic are refused",
    arguments: [
      #"{}"#, #"{"kinds":[24133]}"#, ##"{"kinds":[24133],"#p":[]}"##, #"{"authors":["AUTHOR"]}"#,
      #"{"kinds":[24133],"authors":["AUTHOR"]}"#,
      ##"{"#p":["AUTHOR"]},{"kinds":[24133]}"##,
    ])
  func aFilterWithoutRecipientsIsRefused(filters: String) throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    let named = filters.replacingOccurrences(of: "AUTHOR", with: Make.key(0).publicKey.hex)
    client.say(#"["REQ","s",\#(named)]"#)
    #expect(client.closedText("s")?.hasPrefix("restricted: ") == true)
    #expect(server.reach(Make.event()) == 0)
  }

  @Test("The number of subscriptions is limited") func boundsSubscriptions() throws {
    let server = try server {
      $0.subscriptions = 3
      $0.openSubscriptions = 1
    }
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    let event = Make.event()
    client.say(#"["REQ","open1",{"ids":["\#(event.id.hex)"]}]"#)
    #expect(client.endOfStored("open1"))
    client.say(#"["REQ","open2",{"ids":["\#(event.id.hex)"]}]"#)
    #expect(client.closedText("open2")?.hasPrefix("restricted: ") == true)
    #expect(client.listen(Make.key(1).publicKey, subscription: "a"))
    #expect(client.listen(Make.key(1).publicKey, subscription: "b"))
    client.say(.request(subscription: "c", filters: [Filter(tags: ["p": [Make.key(1).publicKey.hex]])]))
    #expect(client.closedText("c")?.hasPrefix("restricted: ") == true)
    client.say(.request(subscription: "profile", filters: [Filter(kinds: [0])]))
    #expect(client.closedText("profile") != nil)
    // One event for two subscriptions of the connection and for the open one.
    #expect(server.reach(event) == 3)
  }

  @Test(
    "A message that is not Nostr is answered with a notice",
    arguments: [
      "", "x", "{}", "[]", "[1]", #"["HELLO"]"#, #"["REQ"]"#, #"["REQ","",{}]"#, #"["REQ","s"]"#, #"["REQ","s",1]"#,
      #"["EVENT",{}]"#, #"["EVENT",[]]"#, #"["CLOSE"]"#, #"["AUTH","x"]"#, "[\"REQ\",\"\u{00e9}\",{\"#pp\":[]}]",
      "[\"REQ\",\"" + String(repeating: "s", count: 65) + "\",{}]", String(repeating: "[", count: 10_000),
    ])
  func answersANoticeToWhatIsNotNostr(text: String) throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    client.say(text)
    #expect(client.notice()?.hasPrefix("invalid: ") == true)
    #expect(client.listen(Make.key(1).publicKey))  // and goes on
  }

  @Test("A connection that sends too many invalid messages is closed") func hangsUpOnTooMuchThatIsNotNostr() throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    for _ in 0...20 { client.say("x") }
    #expect(client.log.wait(milliseconds: 20_000) { $0.end } == .peerClosed(code: 1008))
  }

  @Test("A relay that requires login serves only keys that logged in") func aLoginIsNeededWhenAskedFor() throws {
    let welcome = Make.key(5)
    let server = try RelayServer(
      login: .init(addresses: ["ws://relay.example/relay"], welcomes: { $0 == welcome.publicKey }), time: time)
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    let challenge = try #require(client.challenge())
    let event = Make.event()
    client.say(.event(event))
    #expect(client.ok(event.id)?.message.hasPrefix("auth-required: ") == true)
    client.say(.request(subscription: "s", filters: [Filter(tags: ["p": [Make.key(1).publicKey.hex]])]))
    #expect(client.closedText("s")?.hasPrefix("auth-required: ") == true)
    func login(
      _ key: KeyPair, _ challenge: String, relay: String = "ws://relay.example/relay"
    ) throws -> (accepted: Bool, message: String) {
      let login = try NIP42.event(relay: relay, challenge: challenge, author: key.publicKey, now: time.seconds).signed(by: key)
      client.say(.auth(login))
      return try #require(client.ok(login.id))
    }
    #expect(try login(welcome, "other").message.hasPrefix("invalid: "))
    #expect(try login(welcome, challenge, relay: "ws://other.example").accepted == false)
    #expect(try login(Make.key(6), challenge).message.hasPrefix("restricted: "))
    #expect(try login(welcome, challenge).accepted)
    #expect(client.listen(Make.key(1).publicKey, subscription: "after"))
    let next = Make.event(content: "after the login")
    client.say(.event(next))
    #expect(client.ok(next.id)?.accepted == true)
    #expect(client.event(next.id) != nil)
  }

  @Test("The signer inside gets requests and answers without a connection")
  func theSignerInsideHearsAndSpeaksWithoutASocket() throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    #expect(client.listen(Make.key(0).publicKey))
    let request = Make.event(content: "request")
    client.say(.event(request))
    #expect(server.delivered.wait(milliseconds: 20_000) { $0.isEmpty ? nil : $0 } == [request])
    let answer = Make.event(by: Make.key(1), to: Make.key(0).publicKey)
    #expect(server.relay.publish(answer))
    #expect(client.event(answer.id) == answer)
    #expect(server.delivered.withLock { $0.count } == 1)  // not what the signer says itself
  }

  @Test("A stopping relay accepts no events and still delivers answers")
  func takesNoEventsWhileStoppingButStillCarriesAnswers() throws {
    let server = try server()
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    #expect(client.listen(Make.key(0).publicKey))
    server.relay.stopTaking()
    let request = Make.event()
    client.say(.event(request))
    #expect(client.ok(request.id)?.message.hasPrefix("error: ") == true)
    let answer = Make.event(by: Make.key(1), to: Make.key(0).publicKey)
    server.relay.publish(answer)
    #expect(client.event(answer.id) != nil)
  }

  @Test("An event is refused as rate-limited when the workers are busy") func saysWhenTheWorkersAreBusy() throws {
    let server = try RelayServer(time: time, work: { _, _ in false })
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    let event = Make.event()
    client.say(.event(event))
    #expect(client.ok(event.id).map { !$0.accepted && $0.message.hasPrefix("rate-limited: ") } == true)
  }

  @Test("Connections beyond the limit are refused") func refusesConnectionsBeyondTheLimit() throws {
    let server = try server { $0.connections = 1 }
    defer { server.stop() }
    server.relay.setApps([Make.key(1).publicKey])
    let first = try TestClient(server.loop, server.url)
    #expect(first.listen(Make.key(1).publicKey))
    let second = try TestClient(server.loop, server.url, mustOpen: false)
    #expect(second.log.wait(milliseconds: 20_000) { $0.end } == .handshakeRefused(status: 503))
    first.hangUp()
    #expect(server.waitUntil { $0.counts.connections == 0 })
    #expect(try TestClient(server.loop, server.url).listen(Make.key(1).publicKey))
  }

  @Test("An author's events are limited over all connections; forged and repeated events do not count")
  func authorsAreLimitedByWhatTheySigned() throws {
    let heard = Locked<Set<Bytes32>>([])
    var limits = RelayLimits()
    (limits.authorEventsPerSecond, limits.authorEventBurst) = (10, 50)
    (limits.keptForOneKey, limits.forgedEvents) = (1, .max)
    let server = try RelayServer(limits, time: time, isUnheard: { event in heard.withLock { !$0.contains(event.id) } })
    defer { server.stop() }
    let (forger, client) = (try TestClient(server.loop, server.url), try TestClient(server.loop, server.url))
    let events = (0..<60).map { Make.event(content: "\($0)") }
    for number in 0..<100 {
      let (junk, own) = (Make.junk(number), events[0])
      forger.say(
        .event(
          Event(
            id: junk.id, pubkey: own.pubkey, createdAt: own.createdAt, kind: own.kind, tags: own.tags, content: "",
            signature: junk.signature)))
    }
    #expect(forger.log.wait(milliseconds: 20_000) { $0.messages.count >= 100 ? true : nil } == true)
    for event in events.prefix(40) { client.say(.event(event)) }
    for event in events.prefix(40) { #expect(client.ok(event.id)?.accepted == true) }
    heard.withLock { $0 = Set(events.prefix(40).map(\.id)) }
    for _ in 0..<3 { for event in events.prefix(40) { forger.say(.event(event)) } }
    #expect(forger.log.wait(milliseconds: 20_000) { $0.messages.count >= 220 ? true : nil } == true)
    for event in events.dropFirst(40) { client.say(.event(event)) }
    let texts = events.dropFirst(40).compactMap { client.ok($0.id)?.message }
    #expect(texts.filter { $0.hasPrefix("rate-limited: ") }.count == 10)
  }

  @Test("A connection that sends forged events is closed") func forgersAreClosed() throws {
    let checks = Locked(0)
    let server = try counting(checks) { $0.eventsInFlight = 8 }
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    for number in 0..<1_000 { client.say(.event(Make.junk(number, author: number))) }
    #expect(client.log.wait(milliseconds: 20_000) { $0.end } == .peerClosed(code: 1008))
    #expect(checks.withLock { $0 } < 100)
  }

  @Test("A flood of events by many authors is limited for its connection")
  func aFloodByTenThousandAuthorsIsLimitedForTheConnection() throws {
    let checks = Locked(0)
    let server = try counting(checks) {
      $0.eventsPerSecond = 100
      $0.eventBurst = 200
      $0.authors = 1_000
      $0.forgedEvents = .max
    }
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    for number in 0..<10_000 { client.say(.event(Make.junk(number, author: number))) }
    #expect(client.log.wait(milliseconds: 60_000) { $0.messages.count >= 10_000 ? true : nil } == true)
    #expect(checks.withLock { $0 } == 200)
    // Somebody else is served all the same.
    let other = try TestClient(server.loop, server.url)
    let event = Make.event()
    other.say(.event(event))
    #expect(other.ok(event.id)?.accepted == true)
  }

  @Test("A client is not read while its events wait to be checked") func aClientIsNotReadWhileItsChecksWait() throws {
    let jobs = Locked<[@Sendable () -> Void]>([])
    var limits = RelayLimits()
    limits.eventsInFlight = 8
    let server = try RelayServer(limits, time: time) { _, job in
      jobs.change { $0.append(job) }
      return true
    }
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    let events = (0..<40).map { Make.event(content: "\($0)") }
    for event in events { client.say(.event(event)) }
    #expect(jobs.wait(milliseconds: 20_000) { $0.count == 8 ? true : nil } == true)
    let settled = Locked(false)
    server.loop.after(milliseconds: 200) { settled.change { $0 = true } }
    _ = settled.wait(milliseconds: 20_000) { $0 ? true : nil }
    #expect(jobs.withLock { $0.count } == 8)
    // Each job done lets the rest come in the end.
    var done = 0
    while done < 40 {
      guard let job = jobs.wait(milliseconds: 20_000, until: { $0.isEmpty ? nil : $0.removeFirst() }) else { break }
      job()
      done += 1
    }
    #expect(done == 40)
    for event in events { #expect(client.ok(event.id)?.accepted == true) }
  }

  @Test("Among a thousand subscriptions, an event reaches the one for its key")
  func aThousandSubscriptionsAreFoundByTheirKey() throws {
    let server = try server {
      $0.subscriptions = 1_000
      $0.requestBurst = 2_000
    }
    defer { server.stop() }
    let client = try TestClient(server.loop, server.url)
    for number in 0..<1_000 {
      let key = Make.junk(0, author: number).pubkey
      client.say(.request(subscription: "s\(number)", filters: [Filter(kinds: [24133], limit: 0, tags: ["p": [key.hex]])]))
    }
    #expect(client.endOfStored("s999"))
    let event = Make.event(to: Make.junk(0, author: 500).pubkey)
    #expect(server.reach(event) == 1)
    #expect(client.wait { if case .event(let subscription, _) = $0 { subscription } else { nil } } == "s500")
  }

  @Test("A client that never reads is disconnected, and others are served")
  func aClientThatNeverReadsIsDroppedAndTheOthersAreServed() throws {
    let server = try server {
      $0.sendQueueBytes = 100_000
      $0.keptEvents = 10
    }
    defer { server.stop() }
    let deaf = try DeafClient(port: server.listener.port)
    let filter = Filter(kinds: [24133], tags: ["p": [Make.key(1).publicKey.hex]])
    deaf.say(ClientMessage.request(subscription: "a subscription with a long name", filters: [filter]).json())
    let listener = try TestClient(server.loop, server.url)
    #expect(listener.listen(Make.key(1).publicKey))
    #expect(server.waitUntil { $0.counts.subscriptions == 2 })
    #expect(server.relay.counts.subscriptions == 2)
    let content = String(repeating: "c", count: 60_000)
    for number in 0..<400 where server.relay.counts.connections == 2 {
      let event = Make.event(at: 1_700_000_000 + Int64(number), content: content)
      server.relay.publish(event)
      #expect(listener.event(event.id) != nil)
    }
    #expect(server.waitUntil { $0.counts.connections == 1 })
    #expect(server.relay.counts.connections == 1)
    #expect(server.relay.counts.subscriptions == 1)
  }

  @Test("The relay describes itself (NIP-11)") func describesItself() throws {
    let server = try server()
    defer { server.stop() }
    let document = try JSONValue(parsing: server.relay.information(version: "1.0"))
    #expect(document["version"]?.string == "1.0")
    #expect(document["supported_nips"]?.array?.compactMap(\.integer) == [1, 11, 46])
    #expect(document["limitation"]?["max_message_length"]?.integer == 4_194_304)
    #expect(document["limitation"]?["auth_required"]?.bool == false)
  }
}

extension RelayServer {
  /// Publishes, and says how many subscriptions that reaches.
  fileprivate func reach(_ event: Event) -> Int {
    let count = relay.state.withLock { $0.subscriptions.naming(EmbeddedRelay.recipients(of: event)) }.count { $0.wants(event) }
    relay.publish(event)
    return count
  }
}

/// Shakes hands, speaks, and never reads again.
final class DeafClient {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var size: Int32 = 4_096
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let answer = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(answer == 0)
    write(
      Array(
        ("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8))
    var answerBytes = [UInt8](repeating: 0, count: 1)
    #expect(recv(descriptor, &answerBytes, 1, 0) == 1)
  }

  deinit { close(descriptor) }

  func say(_ text: [UInt8]) {
    write([0x81, 0x80 | 126, UInt8(text.count >> 8 & 0xFF), UInt8(text.count & 0xFF), 0, 0, 0, 0] + text)
  }

  private func write(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) } }
}
