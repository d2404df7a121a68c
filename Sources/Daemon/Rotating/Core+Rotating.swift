internal import Curve
internal import Encodings
internal import Nostr
internal import RemoteSigning
internal import Vault

/// Rotations and statements of succession, as the vault keeps them.
extension Core {
  /// Tells the engine which identities gave way to another key: by the record of the rotation, or by their own, where that record was lost
  /// or the vault is of before it.
  func loadRetired() throws {
    let marked = identities.all.filter(\.isRetired).map(\.publicKey)
    engine.setRetired(Set(try rotations().map(\.old) + marked))
  }

  /// Whether the identity gave way to another key.
  func isRetired(_ identity: PublicKey) -> Bool { engine.isRetired(identity) }

  /// Oldest first.
  func rotations() throws(VaultError) -> [Rotation] {
    var all: [Rotation] = []
    for record in try vault.records(.rotation) {
      guard let rotation = Rotation(record: record.value), rotation.old.bytes.array == record.id else {
        throw .corrupt(what: RecordKind.rotation.name)
      }
      all.append(rotation)
    }
    return all.sorted { ($0.startedAt, $0.old) < ($1.startedAt, $1.old) }
  }

  func rotation(of old: PublicKey) throws(VaultError) -> Rotation? {
    guard let value = try vault.value(.rotation, id: old.bytes.array) else { return nil }
    guard let rotation = Rotation(record: value), rotation.old == old else { throw .corrupt(what: RecordKind.rotation.name) }
    return rotation
  }

  func save(_ rotation: Rotation) throws(VaultError) { try vault.transaction([rotation.change]) }

  /// What was signed for the day when the key is lost. Genuine, and the key's own.
  func succession(of old: PublicKey) throws(VaultError) -> Event? {
    guard let value = try vault.value(.successionStatement, id: old.bytes.array) else { return nil }
    guard let event = try? Event(parsing: value), event.pubkey == old, (try? Succession.successor(namedBy: event)) != nil else {
      throw .corrupt(what: RecordKind.successionStatement.name)
    }
    return event
  }

  /// What later profiles and lists of the new key are compared with, and whose times are taken.
  static func coordinates(of rotation: Rotation) -> [RecordChange] {
    rotation.parts.compactMap { part in
      let event = part.event.unsigned
      guard event.pubkey == rotation.new, let id = SignedCoordinate.id(of: event) else { return nil }
      var signed = SignedCoordinate(identity: rotation.new, kind: event.kind)
      guard signed.add(event, isApproved: true, now: event.createdAt) == .fresh else { return nil }
      return .put(.signedCoordinate, id.array, signed.record)
    }
  }
}

extension Rotation {
  var change: RecordChange { .put(.rotation, old.bytes.array, record) }
}
