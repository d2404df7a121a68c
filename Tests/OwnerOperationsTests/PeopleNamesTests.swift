import Curve
import Nostr
import Testing

@testable import OwnerOperations

/// What strangers' profiles may make the signer say.
@Suite("Names of people") struct PeopleNamesTests {
  private static let now: Int64 = 1_790_000_000
  private let (person, stranger): (KeyPair, KeyPair)

  init() throws { (person, stranger) = (try KeyPair.random(), try KeyPair.random()) }

  private func profile(_ content: String, at time: Int64 = now, by key: KeyPair) throws -> Event {
    try UnsignedEvent(pubkey: key.publicKey, createdAt: time, kind: 0, tags: [], content: content).signed(by: key)
  }

  private func found(_ events: [Event], of people: [KeyPair]) -> PeopleNames {
    let names = PeopleNames()
    _ = names.begin(Set(people.map(\.publicKey)), now: Self.now)
    names.end(events, now: Self.now)
    return names
  }

  @Test("The newest genuine profile counts: none that is forged, of somebody else, of another kind, or dated ahead")
  func onlyGenuineProfiles() throws {
    let real = try profile(#"{"name":"Ada"}"#, at: Self.now - 5, by: person)
    let forged = Event(
      id: real.id, pubkey: person.publicKey, createdAt: Self.now, kind: 0, tags: [], content: #"{"name":"Mallory"}"#,
      signature: real.signature)
    let note = try UnsignedEvent(
      pubkey: person.publicKey, createdAt: Self.now, kind: 1, tags: [], content: #"{"name":"Note"}"#
    ).signed(by: person)
    let events = [
      try profile(#"{"name":"Old"}"#, at: Self.now - 99, by: person), real, forged, note,
      try profile(#"{"name":"Eve"}"#, by: stranger), try profile(#"{"name":"Ahead"}"#, at: Self.now + 86_400, by: person),
    ]
    let names = found(events, of: [person])
    #expect(names.name(of: person.publicKey, taken: [], now: Self.now) == PersonName(text: "Ada"))
    #expect(names.name(of: stranger.publicKey, taken: [], now: Self.now) == nil, "nobody asked for this one")
    #expect(found([forged], of: [person]).name(of: person.publicKey, taken: [], now: Self.now) == nil)
  }

  @Test(
    "A hostile profile gives no name, or a clean one of one short line",
    arguments: [
      ("", nil), ("[1]", nil), ("{\"name\":7}", nil), (#"{"name":" \n\t"}"#, nil),
      (#"{"name":"","display_name":"Ada L."}"#, "Ada L."),
      (#"{"name":"\u202eadA\u0000\u001b[31m"}"#, "adA[31m"), (#"{"name":"a\nb   c"}"#, "a b c"),
      (#"{"name":"\#(String(repeating: "x", count: 4000))"}"#, String(repeating: "x", count: PeopleNames.longestName)),
      (String(repeating: "[", count: 100_000), nil),
    ] as [(String, String?)])
  func hostileProfiles(content: String, name: String?) { #expect(PeopleNames.name(in: content) == name) }

  @Test("A profile that is too large is not read") func largeProfile() throws {
    let large = try profile(#"{"name":"Ada","about":"\#(String(repeating: "x", count: PeopleNames.mostBytes))"}"#, by: person)
    #expect(found([large], of: [person]).name(of: person.publicKey, taken: [], now: Self.now) == nil)
  }

  @Test("A name that two people use, or that an identity of the owner has, is marked") func sharedNames() throws {
    let events = [try profile(#"{"name":"Ada"}"#, by: person), try profile(#"{"name":"ADA"}"#, by: stranger)]
    let both = found(events, of: [person, stranger])
    #expect(both.name(of: person.publicKey, taken: [], now: Self.now)?.isShared == true)
    let one = found([events[0]], of: [person])
    #expect(one.name(of: person.publicKey, taken: [], now: Self.now)?.isShared == false)
    #expect(one.name(of: person.publicKey, taken: ["ada"], now: Self.now)?.isShared == true)
  }

  @Test("One search runs at a time, for a bounded number of people, and what is remembered is bounded") func bounded() throws {
    let names = PeopleNames()
    let people = try (0..<600).map { _ in try KeyPair.random().publicKey }
    let first = names.begin(Set(people), now: 0)
    #expect(first.count == PeopleNames.mostAsked)
    #expect(names.begin(Set(people), now: 0).isEmpty, "one search at a time")
    names.end([], now: 0)
    var asked = Set(first)
    while case let next = names.begin(Set(people), now: 0), !next.isEmpty {
      #expect(asked.isDisjoint(with: next), "nobody is looked up twice")
      asked.formUnion(next)
      names.end([], now: 0)
    }
    #expect(asked.count == PeopleNames.mostKept)
    #expect(names.begin([people[0]], now: PeopleNames.retriedAfter - 1).isEmpty)
    #expect(!names.begin(Set(people), now: PeopleNames.retriedAfter).isEmpty)
  }
}
