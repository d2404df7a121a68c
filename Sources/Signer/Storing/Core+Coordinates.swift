internal import AuditLog
package import Curve
package import Encodings
internal import Nostr
internal import Platform
package import RemoteSigning
internal import Vault

/// Places that an app could shut by an event dated far ahead, before that was asked about; and those the owner resets.
extension Core {
  /// What was signed at a coordinate, without what earlier versions let an app date ahead.
  package func signed(_ id: Bytes32) throws -> SignedCoordinate? {
    guard var signed = try store.signed(id) else { return nil }
    _ = signed.heal(now: presentTime(Clock.seconds))
    return signed
  }

  // The clock of a machine that just started may stand years back. No app's last request was after now.
  private func presentTime(_ now: Int64) -> Int64 { engine.pairings.reduce(now) { max($0, $1.lastSeen) } }

  /// Heals the places of a vault that an earlier version wrote, once, and writes down which.
  func healCoordinates(now: Int64) throws {
    guard try !store.areCoordinatesBounded() else { return }
    let present = presentTime(now)
    var (changed, counts): ([(id: Bytes32, signed: SignedCoordinate)], [Place: Int]) = ([], [:])
    for (id, stored) in try store.coordinates() {
      var signed = stored
      guard signed.heal(now: present) else { continue }
      changed.append((id, signed))
      counts[Place(identity: signed.identity, kind: signed.kind), default: 0] += 1
    }
    let entries = counts.sorted { ($0.key.identity, $0.key.kind) < ($1.key.identity, $1.key.kind) }.map { place, count in
      let times = count == 1 ? "" : ", \(count) places"
      return AuditEntry.event(
        .identityChanged, identity: place.identity, rule: AuditRule(clipping: "kind \(place.kind): forgot dates ahead\(times)"))
    }
    // What is not stored is tried again at the next start; until then each is healed when it is read.
    outbox.recorded(entries) { store.saveBounded(changed) }
  }

  private struct Place: Hashable {
    let identity: PublicKey
    let kind: Int
  }

  /// Forgets what was signed at a coordinate, for the owner. Nothing of this second or before is signed there any more: two events of
  /// one time stay apart. The next event without a time of its own is dated a second later.
  /// - Returns: false when nothing is known of it.
  package func resetCoordinate(_ id: Bytes32, of identity: PublicKey, kind: Int, now: Int64) throws(SignerError) -> Bool {
    try coordinates.withLock { () throws(SignerError) in
      do {
        guard try store.signed(id) != nil else { return false }
        let fresh = SignedCoordinate(identity: identity, kind: kind).closed(upTo: now)
        let entry = AuditEntry.event(.identityChanged, identity: identity, rule: AuditRule(clipping: "kind \(kind) was reset"))
        try outbox.recording(entry) { () throws(SignerError) in
          guard store.save(fresh, id: id) else { throw .notStored }
        }
        tellEngine(of: fresh)
        return true
      } catch { throw SignerError(error) }
    }
  }
}
