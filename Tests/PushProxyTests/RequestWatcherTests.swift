import Curve
import Nostr
import Platform
import Relays
import Sockets
import TestSupport
import Testing

@testable import PushProxy

@Suite("Watching relays for requests to registered signers", .serialized) struct RequestWatcherTests {
  private let time = TurnedClock()
  private let app: KeyPair
  private let signer: PublicKey

  init() throws { (app, signer) = (try Make.key(1), try Make.key(2).publicKey) }

  private func requests(_ count: Int, by author: KeyPair? = nil) throws -> [Event] {
    try (0..<count).map { try Make.request("\($0)", by: author ?? app, to: signer) }
  }

  @Test("A request that two relays send wakes its signer once") func duplicates() throws {
    let servers = try (0..<2).map { _ in try RelayServer(time) }
    defer { for server in servers { server.stop() } }
    let bench = try WatchBench(time, relays: servers.map { try $0.url }, keys: [signer])
    defer { bench.stop() }
    #expect(bench.waitUntilConnected(2))
    let events = try requests(5)
    for server in servers { server.pass(events) }
    #expect(comesTrue { bench.events.count == 5 })
    // The last one is a mark: what came before it on its connection was judged.
    let mark = try Make.request("mark", by: app, to: signer)
    for server in servers { server.pass([mark]) }
    #expect(comesTrue { bench.events.count == 6 })
    #expect(Set(bench.events.map(\.id)).count == 6 && bench.watcher.figures.woken == 6)
    let woken = try #require(bench.woken.withLock { $0.first })
    let urls = try servers.map { try $0.url }
    #expect(woken.signer == signer && urls.contains(woken.relay))
  }

  @Test("The same request from relays of two pools wakes its signer once") func duplicatesAcrossPools() throws {
    let event = try Make.request(by: app, to: signer)
    let first = try LyingRelay([event])
    defer { first.stop() }
    // With one key a pool, two keys have two connections to the relay.
    let bench = try WatchBench(time, relays: [first.url], keys: [signer, Make.key(3).publicKey], change: { $0.keysPerPool = 1 })
    defer { bench.stop() }
    #expect(bench.waitFor(received: 2))
    #expect(first.opened.withLock { $0 } == 2)
    #expect(bench.events == [event] && bench.watcher.figures.refused == [.seen: 1])
  }

  @Test("While the keys are read, which may take long, whoever asks for the relays' health does not wait") func slowReading()
    throws
  {
    let (loop, reading, health) = (try EventLoop(), Locked((isOn: false, mayEnd: false)), Locked(false))
    loop.start()
    let hooks = RequestWatcher.Hooks(
      keys: {
        reading.change { $0.isOn = true }
        _ = reading.wait { $0.mayEnd ? true : nil }
        return []
      }, relays: { [:] }, isPaired: { _, _ in true }, now: { 0 }, mayReachInside: { _ in false }, wake: { _ in })
    var options = RequestWatcher.Options(relays: [], identity: app)
    options.refreshMilliseconds = 1
    let watcher = RequestWatcher(loop: loop, options: options, hooks: hooks)
    watcher.refresh()
    #expect(comesTrue { reading.withLock { $0.isOn } })
    let thread = SystemThread.start {
      _ = watcher.health
      health.withLock { $0 = true }
    }
    #expect(comesTrue { health.withLock { $0 } })
    reading.change { $0.mayEnd = true }
    thread?.join()
    watcher.stop()
    loop.stop(within: 200)
  }

  @Test("While the keys are read again, which may take long, requests wake their signers") func wakesWhileReading() throws {
    let server = try RelayServer(time)
    defer { server.stop() }
    let reading = Locked((count: 0, mayEnd: false))
    let bench = try WatchBench(
      time, relays: [server.url], keys: [signer],
      reading: {
        reading.change { $0.count += 1 }
        _ = reading.wait { $0.count < 2 || $0.mayEnd ? true : nil }
      })
    defer { bench.stop() }
    #expect(bench.waitUntilConnected())
    bench.watcher.refresh()
    #expect(comesTrue { reading.withLock { $0.count == 2 } })
    server.pass(try requests(1))
    #expect(comesTrue { bench.events.count == 1 })
    reading.change { $0.mayEnd = true }
  }

  @Test("The longer it takes to read the keys, the less often they are read", arguments: [(5, 5_000), (3_600, 30_000)])
  func pace(seconds: Int64, pause: Int) throws {
    let bench = try WatchBench(time, relays: [], keys: [signer], reading: { time.advance(seconds: seconds) })
    defer { bench.stop() }
    #expect(comesTrue { bench.watcher.pauseBeforeReading == pause })
  }

  @Test("A forged event wakes nobody, and does not keep the real one out") func junk() throws {
    let events = try requests(20)
    let relay = try LyingRelay(events.map(Make.forged) + [events[0]])
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer])
    defer { bench.stop() }
    #expect(bench.waitFor(received: 21))
    #expect(bench.events == [events[0]])
    #expect(bench.watcher.figures.refused == [.forged: 20])
  }

  @Test("Old events, future events, other kinds and other people's events wake nobody") func screened() throws {
    let now = time.seconds
    let stranger = try Make.key(7).publicKey
    func at(_ time: Int64) throws -> Event { try Make.request(by: app, to: signer, at: time) }
    let passing = try [at(now - 300), at(now + 60)]
    let relay = try LyingRelay(
      [
        at(now - 301), at(now + 61), at(0), at(.max), Make.request(by: app, to: stranger),
        Make.request(by: app, to: signer, kind: 1),
        UnsignedEvent(
          pubkey: app.publicKey, createdAt: now, kind: 24133, tags: [["p"], [], ["p", "zz"], ["e", signer.hex]], content: ""
        ).signed(by: app),
        UnsignedEvent(
          pubkey: app.publicKey, createdAt: now, kind: 24133, tags: Array(repeating: ["p", signer.hex], count: 17), content: ""
        ).signed(by: app),
      ] + passing)
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer])
    defer { bench.stop() }
    // An event of another kind is dropped by the pool.
    #expect(bench.waitFor(received: 9))
    #expect(bench.events == passing)
    #expect(bench.watcher.figures.refused == [.tooOld: 2, .datedAhead: 2, .unknownKey: 2, .tooLong: 1])
  }

  @Test("An event of another kind is refused before anything else") func otherKind() throws {
    let event = try Make.request(by: app, to: signer, kind: 1)
    #expect(throws: WatchRefusal.otherKind) { try RequestScreen.signer(of: event, now: time.seconds) { _ in true } }
  }

  @Test("A flood of one author wakes its signer no more often than an app may") func flood() throws {
    let other = try Make.key(4)
    let relay = try RelayServer(time)
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer])
    defer { bench.stop() }
    #expect(bench.waitUntilConnected())
    #expect(comesTrue { relay.relay.counts.subscriptions == 1 })
    relay.pass(try requests(100))
    #expect(bench.waitFor(received: 100))
    #expect(bench.events.count == 20 && bench.watcher.figures.refused == [.limited: 80])
    // Another app of the same signer still can.
    relay.pass([try Make.request("other", by: other, to: signer)])
    #expect(comesTrue { bench.events.last?.content == "other" })
    time.advance(seconds: 2)
    relay.pass([try Make.request("later", by: app, to: signer)])
    #expect(comesTrue { bench.events.last?.content == "later" })
  }

  @Test("What woke before a restart uses up no wakes when relays send it again") func remembered() throws {
    let (relay, old) = (try RelayServer(time), try requests(30))
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer])
    defer { bench.stop() }
    bench.watcher.remember(old.map(\.id))
    #expect(bench.waitUntilConnected())
    #expect(comesTrue { relay.relay.counts.subscriptions == 1 })
    relay.pass(old + [try Make.request("new", by: app, to: signer)])
    #expect(bench.waitFor(received: 31))
    #expect(bench.events.map(\.content) == ["new"] && bench.watcher.figures.refused == [.seen: 30])
  }

  @Test("Strangers with any number of keys cannot use up the wakes of a signer's apps") func strangers() throws {
    let relay = try RelayServer(time)
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer], isPaired: { [app] in $0 == app.publicKey })
    defer { bench.stop() }
    #expect(bench.waitUntilConnected())
    #expect(comesTrue { relay.relay.counts.subscriptions == 1 })
    relay.pass(try (10..<90).map { try Make.request("stranger", by: Make.key($0), to: signer) })
    #expect(bench.waitFor(received: 80))
    #expect(bench.events.count == 5)
    relay.pass([try Make.request("app", by: app, to: signer)])
    #expect(comesTrue { bench.events.last?.content == "app" })
  }

  @Test("A relay that a pair named is asked for the keys that named it, and wakes nobody else") func named() throws {
    let other = try Make.key(3).publicKey
    let foreign = try Make.request(by: app, to: other)
    let own = try LyingRelay()
    defer { own.stop() }
    let relay = try LyingRelay([foreign, Make.request("right", by: app, to: signer)])
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [own.url], keys: [signer, other], named: [signer: [relay.url]])
    defer { bench.stop() }
    #expect(bench.waitFor(received: 2))
    #expect(bench.events.map(\.content) == ["right"] && bench.watcher.figures.refused == [.unknownKey: 1])
    #expect(relay.asked.withLock { $0 }.allSatisfy { $0.tags["p"] == [signer.hex] && $0.kinds == [24133] })
    #expect(comesTrue { own.asked.withLock { $0.last?.tags["p"].map(Set.init) } == [signer.hex, other.hex] })
  }

  @Test("A relay that fails ten times is left alone, and tried again after a while") func eviction() throws {
    let relay = try LyingRelay(hangsUp: true)
    defer { relay.stop() }
    let url = try relay.url
    let bench = try WatchBench(time, relays: [url], keys: [signer], change: { $0.probePause = 400 })
    defer { bench.stop() }
    #expect(comesTrue { bench.watcher.evicted == [url] })
    #expect(relay.opened.withLock { $0 } == 10)
    #expect(comesTrue { bench.watcher.health.isEmpty })
    #expect(comesTrue { relay.opened.withLock { $0 } == 11 })
    #expect(comesTrue { bench.watcher.evicted == [url] })
  }

  @Test(
    "A connection that lasted half a minute makes up for all failures before it", arguments: [(29_999, true), (30_000, false)])
  func probation(lasted: Int64, isEvicted: Bool) throws {
    let url = try WebSocketURL(parsing: "wss://relay.example")
    var probation = RelayProbation()
    let before = (0..<9).map { _ in probation.lost(url, now: 0) }
    probation.connected(url, now: 0)
    let after = probation.lost(url, now: lasted)
    #expect(!before.contains(true) && after == isEvicted)
  }

  @Test("The silence of all relays is counted from the last connection on") func silence() throws {
    let server = try RelayServer(time)
    let bench = try WatchBench(time, relays: [server.url], keys: [signer], change: { $0.silencePause = 1 })
    defer { bench.stop() }
    #expect(bench.waitUntilConnected())
    time.advance(seconds: 100)
    #expect(comesTrue { bench.watcher.silentMilliseconds == 0 })
    server.stop()
    #expect(bench.waitUntilConnected(0))
    time.advance(seconds: 70)
    #expect(bench.watcher.silentMilliseconds == 70_000)
  }

  @Test("A relay that takes no subscription is not heard, and the silence is that of the proxy's own relays") func refusing()
    throws
  {
    let (own, other) = (try LyingRelay(), try LyingRelay())
    own.refusal.withLock { $0 = "restricted: members only" }
    let bench = try WatchBench(
      time, relays: [own.url], keys: [signer], named: [signer: [try other.url]], change: { $0.silencePause = 1 })
    defer {
      bench.stop()
      own.stop()
      other.stop()
    }
    #expect(comesTrue { bench.watcher.health.contains { $0.refusal == "restricted: members only" } })
    #expect(comesTrue { bench.watcher.health.contains { $0.state == .connected && $0.refusal == nil } }, "the other one is heard")
    #expect(!bench.watcher.isHearing)
    time.advance(seconds: 70)
    #expect(comesTrue { bench.watcher.silentMilliseconds >= 70_000 })
    let said = Locked<[String]>([])
    let remarks = RelayRemarks { text in said.withLock { $0.append(text.text) } }
    let health = try #require(bench.watcher.health.first { $0.refusal != nil })
    remarks.changed(try own.url, health)
    remarks.changed(try own.url, isConnected: true, nil, now: .max)
    #expect(said.withLock { $0.first }?.contains("does not take all that the proxy asks for: “restricted: members only”") == true)
    #expect(said.withLock { $0.last }?.hasPrefix("Connected to ") == true)
  }

  @Test("A relay inside the network is contacted only if the operator allows it") func inside() throws {
    let relay = try LyingRelay()
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer], reachesInside: false)
    defer { bench.stop() }
    #expect(comesTrue { bench.watcher.health.first?.isRefusedInside == true })
    #expect(relay.opened.withLock { $0 } == 0)
  }

  @Test("The proxy logs in with its own key where a relay requires it") func login() throws {
    let relay = try LyingRelay(challenge: "some challenge")
    defer { relay.stop() }
    let bench = try WatchBench(time, relays: [relay.url], keys: [signer])
    defer { bench.stop() }
    #expect(comesTrue { relay.logins.withLock { $0.count } == 1 })
    let login = try #require(relay.logins.withLock { $0.first })
    try NIP42.check(login, relays: [relay.url.text], challenge: "some challenge", now: time.seconds)
    #expect(login.pubkey == (try Make.key(99).publicKey))
  }

  @Test("When the workers are behind, further events are refused and counted") func overload() throws {
    let release = Locked(false)
    let queue = WorkQueue(threads: 1, most: 2)
    let done = Locked(0)
    let job: @Sendable () -> Void = {
      _ = release.wait { $0 ? true : nil }
      done.change { $0 += 1 }
    }
    #expect(queue.add(0, job))
    // The thread takes the first; then two wait, and a third has no room.
    #expect(comesTrue { queue.add(0, job) && queue.add(0, job) })
    #expect(comesTrue { !queue.add(0, job) })
    let isTooLarge = !queue.add(.max, job)
    #expect(isTooLarge)
    release.change { $0 = true }
    #expect(comesTrue { done.withLock { $0 } >= 3 })
    queue.stop()
    #expect(!queue.add(0, job))
  }
}

@Suite("A handful of work") struct HandfulTests {
  @Test("What comes while a thread works is done together, and finished once for all of it") func together() {
    let (release, done) = (Locked(false), Locked(0))
    let finished = Locked<[Int]>([])
    let queue = WorkQueue(threads: 1, most: 100) {
      let count = done.withLock { count in
        defer { count = 0 }
        return count
      }
      finished.change { $0.append(count) }
    }
    let isHeld = Locked(false)
    let first: @Sendable () -> Void = {
      isHeld.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
      done.change { $0 += 1 }
    }
    #expect(queue.add(0, first))
    _ = isHeld.wait { $0 ? true : nil }
    for _ in 0..<10 { #expect(queue.add(0) { done.change { $0 += 1 } }) }
    release.change { $0 = true }
    queue.stop()
    #expect(finished.withLock { $0 } == [1, 10])
  }
}

@Suite("The limits of wakes") struct WakeLimitTests {
  @Test("A key may be used so often at once, and then once in each interval") func pace() {
    var keys = PacedKeys<Int>(interval: 1_000, burst: 3, limit: 10)
    let atOnce = (0..<5).map { _ in keys.take(1, now: 0) }
    #expect(atOnce == [true, true, true, false, false])
    let later = [(2, 0), (1, 999), (1, 1_000), (1, 1_000)].map { keys.take($0, now: $1) }
    #expect(later == [true, false, true, false])
    let muchLater = (0..<4).map { _ in keys.take(1, now: 60_000) }
    #expect(muchLater == [true, true, true, false])
  }

  @Test("A key that was used too often is delayed, but not too long") func delays() {
    var keys = PacedKeys<Int>(interval: 1_000, burst: 2, limit: 10)
    let delays = (0..<6).map { _ in keys.delay(1, most: 2_500, now: 0) }
    #expect(delays == [0, 0, 1_000, 2_000, nil, nil])
    let later = [(1, 1_000), (2, 1_000), (1, 60_000)].map { keys.delay($0, most: 2_500, now: $1) }
    #expect(later == [2_000, 0, 0])
  }

  @Test("Its memory is limited, and a full one refuses nobody new") func memory() {
    var keys = PacedKeys<Int>(interval: 1_000, burst: 1, limit: 2)
    let new = (1...4).map { keys.take($0, now: 0) }
    #expect(new == [true, true, true, true] && keys.count == 2)
    let known = [(1, 0), (5, 1_000)].map { keys.take($0, now: $1) }
    #expect(known == [false, true] && keys.count == 1)
  }

  @Test("A stranger wakes several signers three times, then has to wait") func strangers() throws {
    var limits = WakeLimits()
    let author = try Make.key(1).publicKey
    let passed = try (10..<15).map { try limits.take(author, for: Make.key($0).publicKey, isPaired: false, now: 0) }
    #expect(passed == [true, true, true, false, false])
    #expect(try limits.has(author, for: Make.key(10).publicKey, isPaired: true, now: 0))
  }

  @Test("An id is remembered as long as its event can pass, and their number is limited") func seen() throws {
    var seen = SeenRequests(most: 2)
    let ids = try (1...5).map { try Make.request("\($0)", by: Make.key(1), to: Make.key(2).publicKey).id }
    let again = [0, 359, 360, 720].map { seen.insert(ids[0], now: $0) }
    #expect(again == [true, false, false, true])
    let others = ids[1...].map { seen.insert($0, now: 720) }
    #expect(others == [true, true, true, true])
    #expect(seen.contains(ids[4]) && !seen.contains(ids[0]))
  }
}

@Suite("Which pool watches what") struct WatchPlanTests {
  private func url(_ number: Int) throws -> WebSocketURL { try WebSocketURL(parsing: "wss://relay\(number).example") }

  @Test("Each pool has a limited number of keys, and a key stays in its pool") func keys() throws {
    var plan = WatchPlan(own: [], keysPerPool: 2)
    let keys = try (1...5).map { try Make.key($0).publicKey }
    let before = plan.shares(keys: Set(keys), relays: [:]).map { Set($0[0].keys) }
    #expect(before.map(\.count) == [2, 2, 1])
    let gone = try #require(before[0].first)
    let after = plan.shares(keys: Set(keys).subtracting([gone]).union([try Make.key(9).publicKey]), relays: [:])
    #expect(after.map { Set($0[0].keys).count } == [2, 2, 1])
    #expect(Set(after[1][0].keys) == before[1] && Set(after[2][0].keys) == before[2])
    #expect(plan.shares(keys: [], relays: [:]).flatMap { $0 } == [.init(isFirst: true), .init(), .init()])
    var empty = WatchPlan(own: [])
    #expect(empty.shares(keys: [], relays: [:]) == [[.init(isFirst: true)]], "the proxy's own relays are connected all the same")
  }

  @Test("Relays that pairs named are spread over pools, and the proxy's own are not among them") func relays() throws {
    let (a, b, own) = (try Make.key(1).publicKey, try Make.key(2).publicKey, try url(0))
    var plan = WatchPlan(own: [own], namedPerPool: 2)
    let shares = plan.shares(
      keys: [a, b],
      relays: [
        a: [own, try url(1), try url(2), try url(1)], b: [try url(1), try url(3)], try Make.key(3).publicKey: [try url(4)],
      ])
    #expect(shares.count == 1 && shares[0].map(\.named.count) == [2, 1])
    #expect(shares[0].map { Set($0.keys) } == [[a, b], []])
    #expect(try shares[0][0].named[url(1)].map(Set.init) == [a, b])
    #expect(try shares[0][1].named == [url(3): [b]])
  }

  @Test("The relays that the fewest keys named are left out when there are too many") func mostRelays() throws {
    var plan = WatchPlan(own: [])
    let (a, b) = (try Make.key(1).publicKey, try Make.key(2).publicKey)
    let many = try (0..<RelayPlaces.most + 50).map(url)
    let popular = try #require(many.last)
    let shares = plan.shares(keys: [a, b], relays: [a: many, b: [popular]])
    #expect(shares[0].map(\.named.count).reduce(0, +) == RelayPlaces.most)
    let leftOut = plan.takeLeftOut()
    #expect(leftOut.count == 50)
    #expect(shares[0].contains { $0.named[popular]?.count == 2 })
  }
}
