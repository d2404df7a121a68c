package import Curve
package import Encodings
package import Nostr
package import RemoteSigning
import Signer
package import Vault

/// Rotations and statements of succession, as the vault keeps them.
extension OpenedHome {
  /// Oldest first.
  package func rotations() throws(VaultError) -> [Rotation] {
    var all: [Rotation] = []
    for record in try vault.records(.rotation) {
      guard let rotation = Rotation(record: record.value), rotation.old.bytes.array == record.id else {
        throw .corrupt(what: RecordKind.rotation.name)
      }
      all.append(rotation)
    }
    return all.sorted { ($0.startedAt, $0.old) < ($1.startedAt, $1.old) }
  }

  package func rotation(of old: PublicKey) throws(VaultError) -> Rotation? {
    guard let value = try vault.value(.rotation, id: old.bytes.array) else { return nil }
    guard let rotation = Rotation(record: value), rotation.old == old else { throw .corrupt(what: RecordKind.rotation.name) }
    return rotation
  }

  package func save(_ rotation: Rotation) throws(VaultError) { try vault.transaction([rotation.change]) }

  /// The statement of succession that was signed in advance, for a lost key. Its signature by that key is checked.
  package func succession(of old: PublicKey) throws(VaultError) -> Event? {
    guard let value = try vault.value(.successionStatement, id: old.bytes.array) else { return nil }
    guard let event = try? Event(parsing: value), event.pubkey == old, (try? Succession.successor(namedBy: event)) != nil else {
      throw .corrupt(what: RecordKind.successionStatement.name)
    }
    return event
  }

  /// The records with which later profiles and lists of the new key are compared, and whose dates count as used.
  /// - Parameter known: what was signed at a place before. A key that was made for the rotation has signed nothing.
  package static func coordinates(
    of rotation: Rotation, known: (Bytes32) throws -> SignedCoordinate? = { _ in nil }
  ) throws -> [RecordChange] {
    try rotation.parts.compactMap { part in
      let event = part.event.unsigned
      guard event.pubkey == rotation.new, let id = SignedCoordinate.id(of: event) else { return nil }
      var signed = try known(id) ?? SignedCoordinate(identity: rotation.new, kind: event.kind)
      guard signed.add(event, isApproved: true, now: event.createdAt) == .fresh else { return nil }
      return .put(.signedCoordinate, id.array, signed.record)
    }
  }

  /// A date for the events of a rotation at which the key, if it was used before, has signed no event of the same places. Call it
  /// with `coordinates` locked.
  /// - Parameter now: seconds since 1970. Usually the result is this.
  package func timeOfRotation(to new: PublicKey, now: Int64) throws -> Int64 {
    let places = try Rotation.What.allCases.compactMap { what in
      try what.copied.flatMap { try signed(SignedCoordinate.id(identity: new, kind: $0)) }
    }
    var time = places.reduce(now) { max($0, $1.time(now: now)) }
    while places.contains(where: { $0.signatures.contains { $0.createdAt == time } }) { time += 1 }
    return time
  }
}

extension Rotation {
  package var change: RecordChange { .put(.rotation, old.bytes.array, record) }
}
