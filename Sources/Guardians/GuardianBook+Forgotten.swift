internal import Ciphers
internal import Curve
internal import Encodings
internal import JSON
internal import Signer
internal import Vault

/// What the person here sent away, and what a restore cannot know about: neither old letters, which relays keep, nor an older backup
/// bring it back.
///
/// Record kind guardian, id: `t` · owner · identity · kit, for shares that were removed; kind revocation, id: a hash of the same, for the
/// list beside the backups. Setting `guardian.deaf`: the time up to which
/// requests are not taken.
extension GuardianBook {
  private static let removedMark = UInt8(ascii: "t")
  private static let deafness = Array("guardian.deaf".utf8)
  /// Removed kits that are remembered. Only the person here adds to them.
  static let mostRemoved = 1024

  private static func removedID(_ owner: PublicKey, _ identity: PublicKey, _ kit: String) -> [UInt8] {
    [removedMark] + owner.bytes.array + identity.bytes.array + Array(kit.utf8)
  }

  /// Remembers that a share was removed.
  /// - Parameter now: seconds since 1970.
  func remembering(removalOf note: EntrustedShare, now: Int64) throws(VaultError) -> [RecordChange] {
    let entry = RevocationList.Entry(
      key: Self.removalMark(of: note), time: now * 1000, ending: PairingEnding.shareRemoved.rawValue)
    return [Self.tombstone(of: note, at: now), Revocations.change(entry)] + (try forgettingOldest())
  }

  /// - Parameter time: of the removal, seconds since 1970. The share's letter may have been dated ahead.
  static func tombstone(of note: EntrustedShare, at time: Int64) -> RecordChange {
    let value = JSONValue.object([.init("at", .integer(max(time, note.sent)))]).serialized()
    return .put(.guardian, removedID(note.other, note.identity, note.kit), value)
  }

  /// What a removal is known by in the list beside the backups: 32 bytes.
  static func removalMark(of note: EntrustedShare) -> [UInt8] {
    var hash = SHA256()
    hash.update(Array("holdfast removed share".utf8))
    hash.update(removedID(note.other, note.identity, note.kit))
    return hash.finish().array
  }

  private func forgettingOldest() throws(VaultError) -> [RecordChange] {
    let removed = try vault.records(.guardian).filter { $0.id.first == Self.removedMark }
    guard removed.count >= Self.mostRemoved, let oldest = removed.min(by: { Self.time($0.value) < Self.time($1.value) }) else {
      return []
    }
    return [.delete(kind: .guardian, id: oldest.id)]
  }

  private static func time(_ value: [UInt8]) -> Int64 { (try? JSONValue(parsing: value))?["at"]?.integer ?? .max }

  /// When the person here removed a share of this kit and owner, seconds since 1970; nil when never.
  func removed(_ owner: PublicKey, _ identity: PublicKey, _ kit: String) throws(VaultError) -> Int64? {
    try vault.value(.guardian, id: Self.removedID(owner, identity, kit)).map { Self.time($0) }
  }

  // MARK: requests that are not known any more

  /// Requests that were written up to this time are not taken, seconds since 1970: what was answered between a backup and its restore is
  /// not known, and what is forgotten with time shall not come back. `.min` while everything is known.
  func deafUntil(now: Int64) throws(VaultError) -> Int64 {
    guard let value = try vault.value(.setting, id: Self.deafness) else { return .min }
    let time = Self.time(value)
    guard time > now + Self.ahead else { return time }
    // The clock on the wall was ahead when it was noted: it is no reason to be deaf until then.
    try vault.transaction([Self.deaf(until: now)])
    return now
  }

  static func deaf(until time: Int64) -> RecordChange {
    .put(.setting, deafness, JSONValue.object([.init("at", .integer(time))]).serialized())
  }
}
