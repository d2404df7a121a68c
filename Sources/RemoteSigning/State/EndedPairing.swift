public import Curve

/// A pairing or link that ended. For a while its key still answers, so that the app learns of it and does not wait for ever. Nothing
/// else of the pairing is kept, no key of an identity either.
public struct EndedPairing: Hashable, Sendable {
  /// How long after its end an app is answered, in seconds: 30 days.
  public static let answeredFor: Int64 = 30 * 86_400
  /// The most that are kept; each is one more key to listen for at relays.
  public static let maximumKept = 64

  /// How long relays are kept for it where no link and no other pairing is, in seconds: a day. An app that comes back later is answered
  /// on the relays that are still in use.
  public static let relaysKeptFor: Int64 = 86_400

  /// The key that answers.
  public let remoteSigner: PublicKey
  /// The app's key; nil for a link that no app used.
  public let client: PublicKey?
  /// Where the app may still write.
  public let relays: [RelayURL]
  /// Seconds since 1970.
  public let endedAt: Int64

  /// With all its parts.
  public init(remoteSigner: PublicKey, client: PublicKey?, relays: [RelayURL], endedAt: Int64) {
    (self.remoteSigner, self.client, self.relays, self.endedAt) = (remoteSigner, client, relays, endedAt)
  }

  /// Keeps the part of a pairing that outlives it.
  public init(_ pairing: Pairing, endedAt: Int64) {
    self.init(remoteSigner: pairing.remoteSigner, client: pairing.client, relays: pairing.relays, endedAt: endedAt)
  }

  /// Keeps the part of a link that outlives it.
  public init(_ link: OpenLink, endedAt: Int64) {
    self.init(remoteSigner: link.remoteSigner, client: nil, relays: link.relays, endedAt: endedAt)
  }

  /// Whether it ended so short a while ago that relays are kept for it alone. They never are for a link that no app used.
  public func keepsRelays(now: Int64) -> Bool {
    client != nil && ((now - Self.relaysKeptFor)...(now + Self.relaysKeptFor)).contains(endedAt)
  }

  /// Those to let go of: answered long enough, and the oldest beyond `maximumKept`, those of unused links first.
  ///
  /// A time that lies further ahead than an app is answered, by a clock that was wrong or a damaged record, counts as long enough, too.
  public static func over(_ all: [EndedPairing], now: Int64) -> [EndedPairing] {
    let answered = (now - answeredFor)...(now + answeredFor)
    let (old, kept) = (all.filter { !answered.contains($0.endedAt) }, all.filter { answered.contains($0.endedAt) })
    let newest = kept.sorted { ($0.client == nil ? 0 : 1, $0.endedAt) > ($1.client == nil ? 0 : 1, $1.endedAt) }
    return old + newest.dropFirst(maximumKept)
  }
}
