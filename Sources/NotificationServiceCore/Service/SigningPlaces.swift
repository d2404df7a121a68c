import Curve
import Encodings
import Nostr
import RemoteSigning

/// What was signed at coordinates: by the app, and by earlier wakes. Of two events with one coordinate and date, one is signed.
struct SigningPlaces {
  private var known: [Bytes32: SignedCoordinate]
  private let closedUpTo: Int64

  init(_ state: ExtensionState, _ entries: [JournalEntry]) {
    (known, closedUpTo) = (state.signed, state.writtenAt)
    for case let signed? in entries.map(\.signed) { known[signed.id] = signed.coordinate }
  }

  /// What to do with an exchange that signs an event.
  enum Settled {
    /// Sign it, with the date it has now. What its place holds then, if it is to be recorded.
    case go(Exchange, JournalEntry.Signed?)
    /// Another event of the same coordinate and date was signed, or may have been.
    case taken
  }

  func settled(_ exchange: Exchange, now: Int64) -> Settled {
    guard let template = exchange.template, let identity = exchange.identity,
      let id = SignedCoordinate.id(of: template.unsigned(by: identity, now: now))
    else { return .go(exchange, nil) }
    var signed =
      known[id] ?? SignedCoordinate(identity: identity, kind: template.kind).closed(upTo: min(closedUpTo, now))
    // The owner approves nothing here.
    let (event, outcome) = signed.add(template, by: identity, isApproved: false, now: now)
    switch outcome {
    case .taken: return .taken
    case .again: return .go(exchange.signing(at: event.createdAt), nil)
    case .fresh: return .go(exchange.signing(at: event.createdAt), .init(id: id, coordinate: signed))
    }
  }

  mutating func keep(_ signed: JournalEntry.Signed) { known[signed.id] = signed.coordinate }
}
