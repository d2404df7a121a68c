import AuditLog
package import Curve
package import Encodings
import Nostr
import Platform
package import RemoteSigning
import Vault

/// Coordinates that an app could block with an event dated far ahead, in versions that did not ask about those; and coordinates
/// that the owner resets.
extension OpenedHome {
  /// What was signed at a coordinate, without the far future dates that earlier versions allowed apps.
  package func signed(_ id: Bytes32) throws -> SignedCoordinate? {
    guard var signed = try store.signed(id) else { return nil }
    _ = signed.heal(now: presentTime(Clock.seconds))
    return signed
  }

  // The clock of a machine that just started may be years behind. No app's last request can be later than now.
  private func presentTime(_ now: Int64) -> Int64 { engine.pairings.reduce(now) { max($0, $1.lastSeen) } }

  /// Unblocks the coordinates that an earlier version stored, once, and records which ones.
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
    // If they cannot be stored, the next start tries again. Until then each one is repaired when it is read.
    outbox.recorded(entries) { store.saveBounded(changed) }
  }

  private struct Place: Hashable {
    let identity: PublicKey
    let kind: Int
  }

  /// Forgets what was signed at a coordinate, at the owner's request. Nothing dated this second or earlier is signed there any
  /// more, so that no date is used twice. The next event without its own date gets the following second.
  /// - Returns: false when the coordinate is unknown.
  package func resetCoordinate(_ id: Bytes32, of identity: PublicKey, kind: Int, now: Int64) throws(SignerError) -> Bool {
    try coordinates.withLock { () throws(SignerError) in
      do {
        guard try store.signed(id) != nil else { return false }
        let fresh = SignedCoordinate(identity: identity, kind: kind).closed(upTo: now)
        let entry = AuditEntry.event(.identityChanged, identity: identity, rule: AuditRule(clipping: "kind \(kind) was reset"))
        try outbox.recording(entry) { () throws(SignerError) in
          guard store.save(fresh, id: id) else { throw .notStored }
        }
        engine.setKnown(fresh)
        return true
      } catch { throw SignerError(error) }
    }
  }
}
