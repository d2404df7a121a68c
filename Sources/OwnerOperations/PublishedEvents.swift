import Curve
import Encodings
import Identities
import KeyRotation
import Nostr
import Platform
import Relays
import RemoteSigning
import RequestPreview
import Signer
import Sockets

/// The owner's profile, follow list and relay list as his own relays have them: what a request would replace if nothing of its kind
/// was ever signed here.
///
/// They are fetched while such a request waits, checked, and kept in memory for a while.
final class PublishedEvents: Sendable {
  /// The most relays that are asked.
  static let mostRelays = 6
  /// The most places that are remembered. While all of them are fresh, no other is looked up, so that no list of requests makes the signer
  /// search without end.
  static let mostKept = 16
  /// The most searches at the same time.
  static let mostSearches = 2
  /// The largest event that is kept, in bytes of its JSON.
  static let mostBytes = 1 << 20
  /// How long what was found, or not, is good for, in seconds.
  static let freshFor: Int64 = 600
  /// How soon a place is looked up again if nothing was found and a relay did not answer, in seconds.
  static let retriedAfter: Int64 = 15

  struct Place: Hashable {
    let identity: PublicKey
    let kind: Int
    /// Those that are asked. Once the owner names others, what was not found before is looked up again.
    var relays: [String] = []
  }

  private struct Found {
    let event: EventTemplate?
    let until: Int64
  }

  private struct State {
    var found: [Place: Found] = [:]
    var searching: Set<Place> = []
  }

  private let state = Locked(State())

  /// What is known, and whether it is being looked up now.
  func known(_ place: Place, now: Int64) -> (event: EventTemplate?, lookup: Lookup) {
    state.withLock { state in
      if let found = state.found[place], found.until > now { return (found.event, found.event == nil ? .nothing : .found) }
      return (nil, state.searching.contains(place) ? .searching : .none)
    }
  }

  /// Whether a search may begin.
  enum Beginning {
    case begun
    /// One runs for the same place, or too many run.
    case later
    /// Too many places are remembered.
    case full
  }

  func begin(_ place: Place, now: Int64) -> Beginning {
    state.withLock { state in
      guard state.searching.count < Self.mostSearches, !state.searching.contains(place) else { return .later }
      state.found = state.found.filter { $0.value.until > now }
      guard state.found.count + state.searching.count < Self.mostKept else { return .full }
      state.searching.insert(place)
      return .begun
    }
  }

  /// - Parameter isComplete: whether every relay answered.
  func end(_ place: Place, _ event: EventTemplate?, isComplete: Bool, now: Int64) {
    state.withLock { state in
      state.searching.remove(place)
      state.found[place] = Found(event: event, until: now + (event == nil && !isComplete ? Self.retriedAfter : Self.freshFor))
    }
  }

  /// The newest genuine event of a place among what relays sent. Forged ones, those of others and those dated ahead are left out.
  static func newest(_ events: [Event], at place: Place, now: Int64) -> EventTemplate? {
    let meant = events.filter {
      $0.pubkey == place.identity && $0.kind == place.kind && !SigningTime.isAhead($0.createdAt, of: now)
    }.sorted { ($1.createdAt, $0.id.hex) < ($0.createdAt, $1.id.hex) }
    let genuine = meant.first { (try? $0.verify()) != nil && $0.json().count <= mostBytes }
    return genuine.map { EventTemplate(kind: $0.kind, tags: $0.tags, content: $0.content) }
  }
}

extension Operations {
  /// What a request would replace: as it was signed here, or else as the owner's relays have it.
  func replaced(by request: PendingRequest) -> (before: EventTemplate?, lookup: Lookup) {
    guard let kind = request.kind else { return (nil, .none) }
    if let signed = home.latest(kind, of: request.identity) { return (signed, .none) }
    guard let running, SignedCoordinate.isLookedUp(kind) else { return (nil, .none) }
    let (named, relays) = ownRelays(of: request.identity, running)
    guard !relays.isEmpty else { return (nil, .nothing) }
    let place = PublishedEvents.Place(identity: request.identity, kind: kind, relays: relays.map(\.text))
    let known = published.known(place, now: Clock.seconds)
    return known.lookup == .none ? search(place, at: relays, named: named) : (known.event, known.lookup)
  }

  private func search(
    _ place: PublishedEvents.Place, at relays: [WebSocketURL], named: [WebSocketURL]
  ) -> (before: EventTemplate?, lookup: Lookup) {
    switch published.begin(place, now: Clock.seconds) {
    case .begun: break
    case .later: return (nil, .searching)
    case .full: return (nil, .nothing)
    }
    // Neither the operations nor the home: a search must not keep the keys of a home that is closed.
    let thread = SystemThread.start { [published, signerEvents = home.signerEvents] in
      let session = try? RelaySession(named: named)
      let found = session?.fetch([place.kind], by: place.identity, from: relays)
      session?.end()
      let now = Clock.seconds
      let newest = PublishedEvents.newest(found?.events ?? [], at: place, now: now)
      published.end(place, newest, isComplete: found?.faults.isEmpty == true, now: now)
      signerEvents.tell(.publishedFound)
    }
    if thread == nil { published.end(place, nil, isComplete: false, now: Clock.seconds) }
    return (nil, .searching)
  }

  /// Relays that the owner chose, or that the identity's own list names. Relays that apps brought are not asked: they could hold back
  /// the newest event.
  func ownRelays(of identity: PublicKey, _ running: RunningSigner) -> (named: [WebSocketURL], all: [WebSocketURL]) {
    let details = home.identities.all.first { $0.publicKey == identity }?.details
    let links = running.linkRelays.compactMap { try? WebSocketURL(parsing: $0.text) }
    // The signer's own relay keeps only messages of this protocol.
    let chosen =
      (details?.relays ?? []).compactMap { try? WebSocketURL(parsing: $0) } + links.filter { !$0.isThisMachineAsWritten }
    let listed = RotationDraft.relays(in: home.latest(EventKind.relayList, of: identity))
    return (chosen, Array(RotationDraft.distinct(chosen + listed).prefix(PublishedEvents.mostRelays)))
  }
}
