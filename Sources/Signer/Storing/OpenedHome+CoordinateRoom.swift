package import Curve
package import Encodings
import Nostr
import Platform
package import RemoteSigning
import Vault

/// Limits the number of addressable events' coordinates. Beyond the limit, the quarter that was signed longest ago is folded into
/// one time. Up to that time, nothing is signed at an unknown coordinate.
extension OpenedHome {
  /// An app's event cannot be signed, because too many coordinates have dates in the future.
  struct TooManyAhead: Error {}

  /// Stores what was signed at a coordinate. Call it with `coordinates` locked.
  /// - Parameters:
  ///   - time: the date of the added event, in seconds since 1970.
  ///   - app: the requesting app; nil for the owner.
  ///   - isNew: whether the coordinate was unknown.
  ///   - isApproved: whether the owner approved this very event.
  /// - Returns: false when it could not be stored.
  /// - Throws: ``TooManyAhead``.
  package func store(
    _ signed: SignedCoordinate, id: Bytes32, at time: Int64, by app: PublicKey?, isNew: Bool, isApproved: Bool, now: Int64
  ) throws -> Bool {
    guard EventKind.isAddressable(signed.kind) else { return store.save(signed, id: id) }
    return try places.withLock { counted in
      var places = try counted ?? AddressablePlaces(lastTimes: lastTimes().map(\.last), now: now)
      defer { counted = places }
      counted = nil  // otherwise the list of times is copied with each change
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

  /// - Returns: the changes that fold the oldest coordinates, the number of those, and the earliest date of any coordinate.
  private func makingRoom(now: Int64) throws -> (changes: [RecordChange], places: Int, next: Int64?) {
    let all = try lastTimes().sorted { $0.last < $1.last }
    // Coordinates with dates in the future stay: blocking up to such a date would block every new coordinate.
    let old = all.prefix { $0.last <= now }.prefix(AddressablePlaces.most / 4)
    guard let latest = old.last?.last else { return ([], 0, all.first?.last) }
    let closed = try store.unknownCoordinatesClosed() ?? .min
    let deletions = old.map { RecordChange.delete(kind: .signedCoordinate, id: $0.id.array) }
    return (deletions + [Store.closingUnknownCoordinates(upTo: max(closed, latest))], old.count, nil)
  }
}
