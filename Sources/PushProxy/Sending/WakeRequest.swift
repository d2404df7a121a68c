package import Curve
package import Encodings
package import Nostr

/// A request that is to wake the devices of its signer.
package struct WakeRequest: Sendable, Hashable {
  /// The event's id.
  package let id: Bytes32
  /// Whom it is for.
  package let signer: PublicKey
  /// Where it can be fetched.
  package let relay: String
  /// Until when it is of use, in seconds since 1970.
  package let expires: Int64
  /// The event itself. Nil after a restart: it is not stored.
  package let event: Event?

  /// - Parameters:
  ///   - event: checked.
  ///   - now: when it came, in seconds since 1970.
  package init(_ event: Event, for signer: PublicKey, at relay: String, now: Int64) {
    (id, self.signer, self.relay, expires, self.event) = (event.id, signer, relay, now + Wake.usefulSeconds, event)
  }

  /// One that was stored.
  init(id: Bytes32, signer: PublicKey, relay: String, expires: Int64) {
    (self.id, self.signer, self.relay, self.expires, event) = (id, signer, relay, expires, nil)
  }

  /// A request that a database stored. `left` is how many seconds it remains useful; a number out of range is limited.
  init(id: Bytes32, signer: PublicKey, relay: String, left: Int64, now: Int64) {
    self.init(id: id, signer: signer, relay: relay, expires: now + min(max(0, left), Wake.usefulSeconds))
  }
}
