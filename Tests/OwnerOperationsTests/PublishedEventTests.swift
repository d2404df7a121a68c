import Curve
import DaemonSupport
import Nostr
import Platform
import RequestPreview
import Testing

@testable import OwnerOperations

/// What relays say about the event that a request would replace.
@Suite struct PublishedEventTests {
  private let (owner, stranger): (KeyPair, KeyPair)

  init() throws { (owner, stranger) = (try KeyPair.random(), try KeyPair.random()) }

  private func profile(_ name: String, at time: Int64, by key: KeyPair) throws -> Event {
    try UnsignedEvent(pubkey: key.publicKey, createdAt: time, kind: 0, tags: [], content: name).signed(by: key)
  }

  @Test("The newest genuine event counts: none of somebody else, forged, or dated ahead")
  func theNewestGenuineEventCounts() throws {
    let now: Int64 = 1_750_000_000
    let place = PublishedEvents.Place(identity: owner.publicKey, kind: 0)
    let real = try profile("new", at: now - 10, by: owner)
    let forged = Event(
      id: real.id, pubkey: owner.publicKey, createdAt: now - 1, kind: 0, tags: [], content: "forged", signature: real.signature)
    let events = [
      try profile("old", at: now - 99, by: owner), real, forged, try profile("other", at: now, by: stranger),
      try profile("ahead", at: now + 86_400, by: owner),
    ]
    #expect(PublishedEvents.newest(events, at: place, now: now)?.content == "new")
    #expect(PublishedEvents.newest([forged], at: place, now: now) == nil)
  }

  @Test("Searches and results are bounded, and a result is good for ten minutes") func searchesAreBounded() throws {
    let events = PublishedEvents()
    let places = try (0..<20).map { _ in PublishedEvents.Place(identity: try KeyPair.random().publicKey, kind: 0) }
    #expect([0, 0, 1, 2].map { events.begin(places[$0], now: 0) } == [.begun, .later, .begun, .later])
    #expect(events.known(places[0], now: 0).lookup == .searching)
    for place in places.prefix(2) { events.end(place, EventTemplate(kind: 0, content: "x"), isComplete: true, now: 0) }
    // However often more places are asked for than are remembered, each is looked up once, and the rest not at all.
    for _ in 0..<50 {
      for place in places where events.known(place, now: 0).lookup == .none && events.begin(place, now: 0) == .begun {
        events.end(place, EventTemplate(kind: 0, content: "x"), isComplete: true, now: 0)
      }
    }
    #expect(places.count { events.known($0, now: 0).lookup == .found } == PublishedEvents.mostKept)
    #expect(events.known(places[0], now: 0).lookup == .found && events.begin(places[19], now: 0) == .full)
    #expect(events.known(places[19], now: PublishedEvents.freshFor).lookup == .none)
    #expect(events.begin(places[19], now: PublishedEvents.freshFor) == .begun)
  }

  @Test("What was not found is looked up again once the owner names other relays") func otherRelays() throws {
    let events = PublishedEvents()
    let before = PublishedEvents.Place(identity: owner.publicKey, kind: 0, relays: ["wss://a.example"])
    #expect(events.begin(before, now: 0) == .begun)
    events.end(before, nil, isComplete: true, now: 0)
    #expect(events.known(before, now: 1).lookup == .nothing)
    let after = PublishedEvents.Place(identity: owner.publicKey, kind: 0, relays: ["wss://a.example", "wss://b.example"])
    #expect(events.known(after, now: 1).lookup == .none && events.begin(after, now: 1) == .begun)
  }

  @Test("A search that found nothing is repeated soon if a relay did not answer, and else after ten minutes")
  func failedLookUps() throws {
    let (lost, empty) = (
      PublishedEvents.Place(identity: owner.publicKey, kind: 0), PublishedEvents.Place(identity: owner.publicKey, kind: 3)
    )
    let events = PublishedEvents()
    for (place, isComplete) in [(lost, false), (empty, true)] {
      #expect(events.begin(place, now: 0) == .begun)
      events.end(place, nil, isComplete: isComplete, now: 0)
      #expect(events.known(place, now: PublishedEvents.retriedAfter - 1).lookup == .nothing)
    }
    #expect(events.known(lost, now: PublishedEvents.retriedAfter).lookup == .none)
    #expect(events.known(empty, now: PublishedEvents.freshFor - 1).lookup == .nothing)
  }
}
