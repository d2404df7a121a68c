import Ciphers
public import Curve
public import Encodings
public import Nostr

/// The signatures at one coordinate: one author's events of one kind and, for addressable kinds, of one `d` tag, of which
/// relays keep only the latest.
///
/// Of two events with the same time, relays keep the one that their ids select. A second one could therefore replace the first
/// without a later date. So each time is signed once.
public struct SignedCoordinate: Hashable, Sendable {
  /// The most signatures remembered for one coordinate. Nothing older than the oldest is signed any more.
  public static let maximumSignatures = 64
  /// The most of them that an app may have dated later than now. The rest is for events dated now.
  public static let maximumAhead = 60
  /// The largest event kept to show the next one's difference from, in bytes of its content and tags.
  public static let maximumBaseline = 2 << 20
  /// The same for lists that are not looked up. There are many kinds of them.
  public static let maximumListBaseline = 64 << 10
  /// How long the same follow list is the one that drops are counted from, in seconds: many small drops in a day are one large one.
  public static let referencePeriod: Int64 = 86_400
  /// Seconds that an event without a time of its own is put later than now to keep it apart from the one before.
  static let spacing: Int64 = 60

  /// One event that was signed.
  public struct Signature: Hashable, Sendable {
    /// The event's time, seconds since 1970.
    public let createdAt: Int64
    /// The event's id.
    public let id: Bytes32

    init(createdAt: Int64, id: Bytes32) { (self.createdAt, self.id) = (createdAt, id) }
  }

  /// A follow list that drops are counted from.
  struct Reference: Hashable, Sendable {
    var follows: FollowList
    var since: Int64
  }

  /// The author.
  public let identity: PublicKey
  /// The kind.
  public let kind: Int
  /// By time, the latest last.
  public internal(set) var signatures: [Signature]
  /// Nothing of this time or before is signed, unless it is remembered. Nil while all signatures are.
  public internal(set) var floor: Int64?
  /// The latest event, where its kind is shown by difference: the profile and lists.
  public internal(set) var latest: EventTemplate?
  var reference: Reference?
  /// Whether each time in it was compared with the clock when it was signed. False for records of versions that did not.
  var isBounded = true

  /// Nothing signed yet.
  public init(identity: PublicKey, kind: Int) {
    (self.identity, self.kind, signatures) = (identity, kind, [])
  }

  /// Where an event stands. Nil for a kind of which later events take no earlier one's place.
  public static func id(of event: UnsignedEvent) -> Bytes32? {
    let isAddressable = EventKind.isAddressable(event.kind)
    guard isAddressable || EventKind.isReplaceable(event.kind) else { return nil }
    // Relays use the first `d` tag only; without a value it names the empty place.
    let name = isAddressable ? event.tags.first { $0.first == "d" }?.dropFirst().first ?? "" : ""
    return id(identity: event.pubkey, kind: event.kind, name: name)
  }

  /// Where events of a kind without `d` tag stand.
  public static func id(identity: PublicKey, kind: Int) -> Bytes32 { id(identity: identity, kind: kind, name: "") }

  /// Where events of a kind with that `d` tag stand; an empty name for a kind without.
  public static func id(identity: PublicKey, kind: Int, name: String) -> Bytes32 {
    var hash = SHA256()
    hash.update(Array("holdfast coordinate".utf8))
    hash.update(identity.bytes.array)
    hash.update([UInt8(truncatingIfNeeded: kind >> 8), UInt8(truncatingIfNeeded: kind)])
    hash.update(Array(name.utf8))
    return hash.finish()
  }

  /// What to do with an event that is to be signed.
  public enum Outcome: Hashable, Sendable {
    /// Store this value, then sign.
    case fresh
    /// The very same was signed before: sign it again.
    case again
    /// Another one of the same time was signed, or so many later ones that this is not known any more.
    case taken
  }

  /// Remembers an event before it is signed.
  /// - Parameters:
  ///   - isApproved: whether the owner said yes to just this: the next follow list is compared with it alone.
  ///   - now: seconds since 1970.
  public mutating func add(_ event: UnsignedEvent, isApproved: Bool, now: Int64) -> Outcome {
    let id = event.id()
    if let earlier = signatures.first(where: { $0.createdAt == event.createdAt }) { return earlier.id == id ? .again : .taken }
    if let floor, event.createdAt <= floor { return .taken }
    if !isApproved, !mayDate(event.createdAt, now: now) { return .taken }
    // An event that the owner let through far ahead does not count for later ones.
    let limit = SigningTime.limit(now)
    let isLatest = !signatures.contains { $0.createdAt > event.createdAt && $0.createdAt <= limit }
    signatures.append(Signature(createdAt: event.createdAt, id: id))
    signatures.sort { $0.createdAt < $1.createdAt }
    forgetOldest(now: now)
    if isLatest { keep(event, isApproved: isApproved, now: now) }
    return .fresh
  }

  /// The same for a template: one without a time gets `time(now:)`.
  public mutating func add(
    _ template: EventTemplate, by identity: PublicKey, isApproved: Bool, now: Int64
  ) -> (event: UnsignedEvent, outcome: Outcome) {
    let event = template.unsigned(by: identity, now: template.createdAt ?? time(now: now))
    return (event, add(event, isApproved: isApproved, now: now))
  }

  private func mayDate(_ createdAt: Int64, now: Int64) -> Bool {
    if createdAt <= now { return true }
    return !SigningTime.isAhead(createdAt, of: now) && signatures.count { $0.createdAt > now } < Self.maximumAhead
  }

  // The floor never rises above the clock. Raised further, it would close the place for everybody.
  private mutating func forgetOldest(now: Int64) {
    guard signatures.count > Self.maximumSignatures, let oldest = signatures.first?.createdAt else { return }
    guard oldest <= now else { return _ = signatures.removeLast() }
    signatures.removeFirst()
    floor = max(floor ?? oldest, oldest)
  }

  /// The time for an event whose template has none: now, or a second after the latest one where that is of about now. Where nothing is
  /// signed up to a time ahead, because a vault came from the past, a second after that.
  public func time(now: Int64) -> Int64 {
    let near = SigningTime.limit(now, Self.spacing)
    let latest = signatures.last { $0.createdAt < near }?.createdAt ?? .min
    let closed = floor.flatMap { SigningTime.isAhead($0, of: now) ? nil : $0 } ?? .min
    return max(latest, closed) >= now ? SigningTime.limit(max(latest, closed), 1) : now
  }

  /// Whether the kind's changes are shown by difference: the profile and all lists of which an author has one.
  public static func isCompared(_ kind: Int) -> Bool {
    isLookedUp(kind) || EventKind.isReplaceable(kind) && KindTable.effect(of: kind) == .list
  }

  /// Whether the owner's relays are asked for the present event where none was signed here.
  public static func isLookedUp(_ kind: Int) -> Bool {
    kind == EventKind.metadata || kind == EventKind.follows || kind == EventKind.relayList || kind == EventKind.messageRelays
  }

  /// Whom the next follow list is compared with: everybody of the list that drops are counted from, and of the latest one.
  public var follows: FollowList? {
    guard kind == EventKind.follows else { return nil }
    let latest = latest.map { FollowList(tags: $0.tags) }
    guard let reference else { return latest }
    return FollowList(keys: reference.follows.keys + (latest?.keys ?? []), counted: reference.follows.keys)
  }

  private mutating func keep(_ event: UnsignedEvent, isApproved: Bool, now: Int64) {
    guard Self.isCompared(event.kind) else { return }
    if event.kind == EventKind.follows {
      let follows = FollowList(tags: event.tags)
      let age = reference.map { now.subtractingReportingOverflow($0.since).partialValue } ?? .max
      // One that lies in the future was noted by a clock that has been set back since. A day begins with what stood before it: an
      // app that adds many first must not make them the list of the day.
      if isApproved || age >= Self.referencePeriod || age < 0 {
        let before = isApproved ? nil : latest.map { FollowList(tags: $0.tags) }
        reference = Reference(follows: before ?? follows, since: now)
      }
    }
    let size = event.tags.reduce(event.content.utf8.count) { $1.reduce($0) { $0 + $1.utf8.count + 3 } }
    latest =
      size <= (Self.isLookedUp(event.kind) ? Self.maximumBaseline : Self.maximumListBaseline)
      ? EventTemplate(
        createdAt: min(event.createdAt, SigningTime.limit(now)), kind: event.kind, tags: event.tags, content: event.content) : nil
  }
}
