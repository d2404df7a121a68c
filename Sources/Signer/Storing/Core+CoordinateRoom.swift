package import Curve
package import Encodings
internal import Nostr
internal import Platform
package import RemoteSigning
internal import Vault

/// Keeps the places of addressable events within their bound. Beyond it a quarter of them, the ones signed at longest ago, are folded into
/// one time up to which nothing is signed at a place of which nothing is known.
extension Core {
  /// An app's event cannot be signed, because too many places were signed at with a time later than now.
  struct TooManyAhead: Error {}

  /// Stores what was signed at a place. Call it with `coordinates` locked.
  /// - Parameters:
  ///   - time: of the event that was added, in seconds since 1970.
  ///   - app: who asked for it; nil for the owner.
  ///   - isNew: whether nothing was known of the place.
  ///   - isApproved: whether the owner said yes to this very event.
  /// - Returns: false when it could not be stored.
  /// - Throws: ``TooManyAhead``.
  package func store(
    _ signed: SignedCoordinate, id: Bytes32, at time: Int64, by app: PublicKey?, isNew: Bool, isApproved: Bool, now: Int64
  ) throws -> Bool {
    guard EventKind.isAddressable(signed.kind) else { return store.save(signed, id: id) }
    return try places.withLock { counted in
      var places = try counted ?? AddressablePlaces(lastTimes: lastTimes().map(\.last), now: now)
      defer { counted = places }
      counted = nil  // else the list of times is copied with each change
      let mayBe = places.mayDate(time, by: app, now: now) && !(isNew && places.isFull(now: now))
      guard isApproved || mayBe else { throw TooManyAhead() }
      let room = isNew && places.count >= AddressablePlaces.most ? try makingRoom(now: now) : nil
      if let room, room.places == 0 {
        places.cannotFold(before: room.next)
        guard isApproved else { throw TooManyAhead() }
      }
      guard store.save(signed, id: id, beside: room?.changes ?? []) else { return false }
      places.stored(at: time, by: app, isNew: isNew, folded: room?.places ?? 0, now: now)
      return true
    }
  }

  private func lastTimes() throws -> [(id: Bytes32, last: Int64)] {
    try store.coordinates().filter { EventKind.isAddressable($0.signed.kind) }
      .map { ($0.id, max($0.signed.signatures.last?.createdAt ?? .min, $0.signed.floor ?? .min)) }
  }

  /// - Returns: what folds the oldest places, how many those are, and the first time that a place has.
  private func makingRoom(now: Int64) throws -> (changes: [RecordChange], places: Int, next: Int64?) {
    let all = try lastTimes().sorted { $0.last < $1.last }
    // What is dated ahead of now stays: closing up to there would shut every new place.
    let old = all.prefix { $0.last <= now }.prefix(AddressablePlaces.most / 4)
    guard let latest = old.last?.last else { return ([], 0, all.first?.last) }
    let closed = try store.unknownCoordinatesClosed() ?? .min
    let deletions = old.map { RecordChange.delete(kind: .signedCoordinate, id: $0.id.array) }
    return (deletions + [Store.closingUnknownCoordinates(upTo: max(closed, latest))], old.count, nil)
  }
}
