internal import Encodings
internal import Locks
internal import Nostr
internal import RemoteSigning
internal import Vault

/// How many places of addressable events are remembered. An app makes a new one with each `d` tag that it thinks of, and retention does not
/// reach them.
extension Core {
  /// The most places: some 6 MiB of the vault. Beyond them a quarter of these, the ones signed at longest ago, are folded into one time
  /// up to which nothing is signed at a place of which nothing is known.
  static let mostPlaces = 10_000

  /// Stores what was signed at a place. Call it with `coordinates` locked.
  /// - Parameter isNew: whether nothing was known of the place.
  func store(_ signed: SignedCoordinate, id: Bytes32, isNew: Bool, now: Int64) throws -> Bool {
    guard isNew, EventKind.isAddressable(signed.kind) else { return store.save(signed, id: id) }
    let count = try places.withLock { $0 } ?? store.coordinates().count { EventKind.isAddressable($0.signed.kind) }
    let room = count < Self.mostPlaces ? nil : try makingRoom(now: now)
    guard store.save(signed, id: id, beside: room?.changes ?? []) else { return false }
    places.withLock { $0 = count + 1 - (room?.places ?? 0) }
    return true
  }

  private func makingRoom(now: Int64) throws -> (changes: [RecordChange], places: Int) {
    let closed = try store.unknownCoordinatesClosed() ?? .min
    // What the owner had dated ahead of now stays: closing up to there would shut every new place.
    let old = try store.coordinates().filter { EventKind.isAddressable($0.signed.kind) }
      .map { (id: $0.id, last: max($0.signed.signatures.last?.createdAt ?? .min, $0.signed.floor ?? .min)) }
      .filter { $0.last <= now }.sorted { $0.last < $1.last }.prefix(Self.mostPlaces / 4)
    guard let latest = old.last?.last else { return ([], 0) }
    let deletions = old.map { RecordChange.delete(kind: .signedCoordinate, id: $0.id.array) }
    return (deletions + [Store.closingUnknownCoordinates(upTo: max(closed, latest))], old.count)
  }
}
