package import Curve
package import Nostr
package import Sockets

/// The plan of a rotation, before anything is signed.
package struct RotationDraft {
  /// An event that is dated further ahead of our clock, in seconds, is ignored. No honest program made it, and it would replace
  /// all others.
  private static let toleratedLead: Int64 = 900

  package let old: PublicKey
  package let reason: Succession.Reason
  /// Whether a note is published, too.
  package let hasNote: Bool
  /// The relays that the owner named. They may be inside the owner's network.
  package let named: [WebSocketURL]
  /// The relays to publish to: the named ones, and those of the old key's relay list.
  package private(set) var relays: [WebSocketURL]
  /// The old key's events that the new key will publish.
  package private(set) var copies: [Rotation.What: EventTemplate] = [:]
  /// Where each event was found: on a relay, or signed here.
  package private(set) var areFromHere: Set<Rotation.What> = []
  package private(set) var faults: [String: String] = [:]
  /// The relays that answered.
  package private(set) var answered: [String] = []

  /// - Parameter relays: those of the old key's own list, in addition to the named ones.
  package init(old: PublicKey, reason: Succession.Reason, hasNote: Bool, named: [WebSocketURL], relays: [WebSocketURL] = []) {
    (self.old, self.reason, self.hasNote, self.named) = (old, reason, hasNote, named)
    self.relays = Self.distinct(named + relays)
  }

  /// Takes the newest of the events that were found. After a theft it prefers events that were signed here, because relays may
  /// have the thief's.
  /// - Parameters:
  ///   - here: the events that were signed here.
  ///   - now: seconds since 1970.
  package mutating func take(_ found: RelaySession.Found, asked: [WebSocketURL], here: [Rotation.What: EventTemplate], now: Int64)
  {
    faults = found.faults
    answered = asked.map(\.text).filter { found.faults[$0] == nil }
    for what in Rotation.What.allCases {
      guard let kind = what.copied else { continue }
      let event = newest(of: found.events, kind, now)
      let remote = event.map { EventTemplate(createdAt: $0.createdAt, kind: $0.kind, tags: $0.tags, content: $0.content) }
      guard let local = here[what], remote == nil || isBetter(local, than: remote) else {
        copies[what] = remote
        continue
      }
      copies[what] = local
      areFromHere.insert(what)
    }
    relays = Self.distinct(relays + Self.relays(in: copies[.relayList]))
  }

  /// The event that counts by NIP-01: the newest, and of two with one date the one with the lower id. A relay may send others.
  private func newest(of events: [Event], _ kind: Int, _ now: Int64) -> Event? {
    events.filter { $0.kind == kind && $0.pubkey == old && $0.createdAt <= now + Self.toleratedLead }
      .sorted { ($0.createdAt, $1.id) > ($1.createdAt, $0.id) }
      .first { (try? $0.verify()) != nil }
  }

  private func isBetter(_ local: EventTemplate, than remote: EventTemplate?) -> Bool {
    reason == .compromised || reason == .prepared || (local.createdAt ?? 0) > (remote?.createdAt ?? 0)
  }

  /// All relays of a relay list (NIP-65), for reading or writing.
  package static func relays(in list: EventTemplate?) -> [WebSocketURL] {
    (list?.tags ?? []).filter { $0.count > 1 && $0[0] == "r" }.compactMap { try? WebSocketURL(parsing: $0[1]) }
  }

  /// The most relays that one rotation uses.
  static let mostRelays = 20

  package static func distinct(_ relays: [WebSocketURL]) -> [WebSocketURL] {
    var seen: Set<WebSocketURL> = []
    return Array(relays.filter { seen.insert($0).inserted }.prefix(mostRelays))
  }

  /// All events, signed: the statement and the note by the old key, the rest by the new key.
  /// - Parameters:
  ///   - statement: the old key's.
  ///   - note: the old key's, if there is one.
  package func rotation(_ statement: Event, note: Event?, by new: KeyPair, now: Int64) throws(CurveError) -> Rotation {
    var parts = [Rotation.Part(what: .statement, event: statement)]
    parts.append(
      .init(what: .acceptance, event: try Succession.acceptance(of: statement, by: new.publicKey, now: now).signed(by: new)))
    for what in Rotation.What.allCases {
      guard let copy = copies[what] else { continue }
      let event = UnsignedEvent(pubkey: new.publicKey, createdAt: now, kind: copy.kind, tags: copy.tags, content: copy.content)
      parts.append(.init(what: what, event: try event.signed(by: new)))
    }
    if let note { parts.append(.init(what: .note, event: note)) }
    return Rotation(
      old: old, new: new.publicKey, reason: reason, startedAt: now, relays: relays.map(\.text), named: named.map(\.text),
      parts: parts)
  }
}
