import Curve
import Encodings
import Nostr
import Platform
import Testing

@testable import RemoteSigning

@Suite("An app that sends too many requests gets an error") struct TooManyTests {
  private func refusals(_ scene: Scene, _ app: App, _ count: Int) throws -> (told: Int, silent: Int, served: Int) {
    var (told, silent, served) = (0, 0, 0)
    for _ in 0..<count {
      switch scene.engine.receive(try app.request("ping", [], now: scene.now), now: scene.now) {
      case .refused(let refusal):
        #expect(refusal.reason.isTooMany)
        let reply = try #require(refusal.reply)
        if told == 0 { #expect(try app.read(reply.event) == .error(ReplyText.tooMany)) }
        told += 1
      case .dropped(let reason):
        #expect(reason.isTooMany)
        silent += 1
      case .decided: served += 1
      case .held: Issue.record("nothing is put aside")
      }
    }
    return (told, silent, served)
  }

  @Test("When the memory for its event ids is full, an app gets an error")
  func theMemoryIsFull() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.state.withLock { $0.seen = SeenEvents(limit: 10) }
    let found = try refusals(scene, app, 100)
    #expect(found.served == 5)
    #expect(found.told == RateLimit.tooMany.burst)
    #expect(found.silent == 100 - 5 - found.told)
    scene.now += 2
    #expect(try refusals(scene, app, 100).told == 2 * RateLimit.tooMany.perSecond)
  }

  @Test("Beyond its rate limit, an app gets an error")
  func theRateIsUsedUp() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("ping", [], now: scene.now)
    scene.engine.state.withLock { state in
      for _ in 0..<RateLimit.pairedClient.burst {
        state.seen = SeenEvents()
        _ = state.remember(event, at: app.signer, isFresh: true, isApp: true, now: scene.now)
      }
    }
    let found = try refusals(scene, app, 60)
    #expect(found.served == 0)
    #expect(found.told == RateLimit.tooMany.burst)
  }

  @Test("Forged events and strangers get no answer")
  func nobodyElseIsTold() throws {
    let scene = try Scene()
    let (app, stranger) = (try scene.pairedApp(), try App(signer: scene.signer.publicKey))
    scene.engine.state.withLock { $0.seen = SeenEvents(limit: 0) }
    let forged = try app.request("ping", [], now: scene.now)
    let other = try app.request("ping", [], now: scene.now)
    let mixed = Event(
      id: forged.id, pubkey: forged.pubkey, createdAt: forged.createdAt, kind: forged.kind, tags: forged.tags,
      content: forged.content, signature: other.signature)
    guard case .dropped(.badSignature) = scene.engine.receive(mixed, now: scene.now) else {
      Issue.record("a forged event was answered")
      return
    }
    guard case .dropped = scene.engine.receive(try stranger.request("ping", [], now: scene.now), now: scene.now) else {
      return  // strangers hear that they are not paired, if at all
    }
  }
}

@Suite struct SeenEventsTests {
  /// So many ids as a signer takes in five minutes at the rate that README states.
  @Test("Many event ids are held in little memory") func aMillionIdsAreHeldInATableOfSomeMegabytes() throws {
    var table = MarkTable()
    var state: UInt64 = 7
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
    for _ in 0..<100_000 { _ = table.insert(next()) }
    #expect(table.count == 100_000)
    #expect(table.capacity * 8 <= 100_000 * 22)
    state = 7
    for _ in 0..<100_000 {
      let mark = next()
      let isNew = table.insert(mark)
      #expect(table.contains(mark) && !isNew)
    }
    let isThere = table.contains(next())
    #expect(!isThere)
  }

  @Test("The number zero is stored like any other") func theMarkThatMeansAFreePlaceIsAMarkLikeOthers() {
    var table = MarkTable()
    let (before, first, second) = (table.contains(0), table.insert(0), table.insert(0))
    #expect(!before && first && !second && table.contains(0))
  }

  /// At 12,000 requests a second, by 64 apps alike, every id has its place for as long as its event is not too old.
  @Test("The stated rate of many apps leaves room for every event id") func theRateOfManyAppsHolds() throws {
    let keys = try (0..<64).map { _ in try KeyPair.random().publicKey }
    let limit = 1 << 12  // a thousandth of all, and of the rate
    var seen = SeenEvents(limit: limit)
    var number: UInt64 = 0
    for second in 0..<3_600 as Range<Int64> {
      for _ in 0..<12 {
        number += 1
        let id = Bytes32 { $0.storeBytes(of: number, as: UInt64.self) }
        guard case .new = seen.insert(id, createdAt: second, to: keys[Int(number) % 64], now: second) else {
          Issue.record("no place in second \(second), with \(seen.count) held")
          return
        }
      }
    }
    #expect(seen.count <= limit)
  }

  @Test(
    "When a restart finds more ids than there is room for, events that may have one of the others are refused",
    arguments: [false, true])
  func whatIsNotPutBackIsRefused(isNewestFirst: Bool) throws {
    let owner = try KeyPair.random().publicKey
    func id(_ number: Int64) -> Bytes32 { Bytes32 { $0.storeBytes(of: UInt64(number), as: UInt64.self) } }
    var seen = SeenEvents(limit: 100)
    let times = Array(1_000..<1_300 as Range<Int64>)
    for time in isNewestFirst ? times.reversed() : times { seen.restore(id(time), createdAt: time) }
    #expect(seen.count <= 100 && seen.contains(id(1_299), createdAt: 1_299), "the latest ones are held")
    for time in times {
      let outcome = seen.insert(id(time), createdAt: time, to: owner, now: 1_300)
      #expect(outcome != .new, "\(time)")
    }
    let isTaken = seen.insert(id(5_000), createdAt: 1_700, to: owner, now: 1_700)
    #expect(isTaken == .new, "later it is as before")
  }

  @Test("After a restart restores ids out of order, events that may have a missing id are refused")
  func whatIsNotPutBackInAnyOrder() throws {
    let owner = try KeyPair.random().publicKey
    func id(_ number: Int64) -> Bytes32 { Bytes32 { $0.storeBytes(of: UInt64(number), as: UInt64.self) } }
    var seen = SeenEvents(limit: 100)
    for number in 0..<60 as Range<Int64> { seen.restore(id(number), createdAt: 1_000) }
    for number in 60..<110 as Range<Int64> { seen.restore(id(number), createdAt: 1_100) }
    for number in 110..<140 as Range<Int64> { seen.restore(id(number), createdAt: 900) }
    for number in 140..<161 as Range<Int64> { seen.restore(id(number), createdAt: 1_200) }
    for number in 0..<60 as Range<Int64> {
      let outcome = seen.insert(id(number), createdAt: 1_000, to: owner, now: 1_250)
      #expect(outcome != .new, "\(number)")
    }
  }
}
