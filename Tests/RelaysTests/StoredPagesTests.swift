import Nostr
import Platform
import Testing

@testable import Relays

/// A relay answers a subscription with its newest events only.
@Suite struct StoredPagesTests {
  private static let now: Int64 = 1_700_000_000
  /// How many stored events the relay sends to a subscription.
  private static let page = 50
  private static let lookBack: Int64 = 10_000

  /// A relay that stores these events.
  private func relay(_ events: [Event]) throws -> FakeRelay {
    let stored = events.sorted { $0.createdAt > $1.createdAt }
    return try FakeRelay { message, count, socket in
      guard case .request(let name, let filters) = message else { return FakeRelay.friendly(message, count, socket) }
      let found = stored.filter { event in filters.contains { $0.matches(event) } }.prefix(Self.page)
      return found.map { .event(subscription: name, $0) } + [.endOfStored(subscription: name)]
    }
  }

  private func bench(readsAllStored: Bool = true) throws -> PoolBench {
    try PoolBench(
      subscription: .init(kinds: [24133], lookBack: Self.lookBack, readsAllStored: readsAllStored),
      change: { $0.betweenPages = 1 })
  }

  /// A message of an hour ago, and as many newer ones as `flood` says: in seconds of their own, or all in one second.
  private func events(flood: Int, inOneSecond: Bool) -> [Event] {
    [Make.event(at: Self.now - 3600)]
      + (0..<flood).map { Make.junk($0, author: $0, at: Self.now - 5 - (inOneSecond ? 0 : Int64($0 / 3))) }
  }

  @Test("A flood of new messages does not hide an older one that a relay stores", arguments: [false, true])
  func aFloodHidesNothing(inOneSecond: Bool) throws {
    let events = events(flood: Self.page * 5, inOneSecond: inOneSecond)
    let relay = try relay(events)
    defer { relay.stop() }
    let bench = try bench()
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    let honest = events[0]
    #expect(bench.log.wait(milliseconds: 20_000) { $0.events.contains { $0.event == honest } ? true : nil } == true)
    if !inOneSecond { #expect(bench.waitForEvents(events.count)?.count == events.count) }
    // The live subscription goes on, and the pages are left.
    #expect(
      relay.heard.wait(milliseconds: 20_000) { Self.closed($0).count < 4 ? nil : Self.closed($0).prefix(4) } == [
        "hf0+1", "hf0+2", "hf0+3", "hf0+4",
      ])
  }

  private static func closed(_ messages: [ClientMessage]) -> [String] {
    messages.compactMap { if case .close(let name) = $0 { name } else { nil } }
  }

  @Test("Without the option, a relay is asked once") func onceWithoutTheOption() throws {
    let relay = try relay(events(flood: Self.page * 2, inOneSecond: false))
    defer { relay.stop() }
    let bench = try bench(readsAllStored: false)
    defer { bench.stop() }
    bench.pool.setRelays([try relay.url])
    #expect(bench.waitUntilSubscribed([try relay.url]))
    #expect(relay.heard.withLock { $0.count } == 1)
  }

  @Test("An event with an old date that comes while a page is sent does not end the reading") func anOldDateSkipsNothing() {
    var pages = StoredPages(Filter(since: 0))
    for date in [Self.now, 5, Self.now - 10] { pages.arrived(Make.junk(1, at: date)) }
    let goesOn = pages.goOn()
    #expect(goesOn && pages.filter.until == Self.now - 10)
    #expect(StoredPages.name(after: "hf0") == "hf0+1" && StoredPages.name(after: "hf0+9") == "hf0+10")
  }

  @Test("The number of pages is limited, and each one ends earlier than the one before")
  func pagesAreLimited() {
    var pages = StoredPages(Filter(since: 0))
    var ends: [Int64] = []
    // The relay always sends the same new event.
    pages.arrived(Make.junk(1, at: Self.now))
    while pages.goOn() {
      ends.append(pages.filter.until ?? 0)
      pages.arrived(Make.junk(1, at: Self.now))
    }
    #expect(ends.count == StoredPages.most && ends == ends.sorted(by: >) && Set(ends).count == ends.count)
  }

  @Test("Reading stored events ends at an empty page, or at the earliest date that was asked for") func pagesEnd() {
    var pages = StoredPages(Filter(since: 100))
    let isOverAtOnce = !pages.goOn()
    #expect(isOverAtOnce)
    pages.arrived(Make.junk(1, at: 100))
    let goesOn = pages.goOn()
    #expect(goesOn && pages.filter.until == 100)
    pages.arrived(Make.junk(1, at: 100))
    let goesBeyond = pages.goOn()
    #expect(!goesBeyond)
  }
}
