import AuditLog
package import Curve
import Platform
package import RemoteSigning

/// Pairings that end.
extension OpenedHome {
  package enum Ending {
    case app, owner
    /// A program that was never let in makes room for another.
    case room
  }

  /// Ends a pairing: removes its grant and its waiting requests. Its transport key stays for a while, to tell the app.
  /// - Parameter next: the pairing that follows it, made from the one that ends. No request comes in between, and no crash.
  /// - Returns: false when it could not be stored; nothing changed then.
  @discardableResult
  package func forget(
    _ remoteSigner: PublicKey, by ending: Ending, followedBy next: ((Pairing) -> (offer: PairingOffer, signer: KeyPair)?)? = nil
  ) -> Bool {
    let gone = changingPairings { () -> Pairing? in
      guard let pairing = engine.pairings.first(where: { $0.remoteSigner == remoteSigner }) else { return nil }
      guard let next else { return end(pairing, by: ending) }
      return next(pairing).flatMap { end(pairing, by: ending, followedBy: $0) }
    }
    guard let gone else { return false }
    keepNames(of: [gone], revokedAt: ending == .owner ? Clock.seconds : nil)
    signerEvents.tell(.clientsChanged)
    signerEvents.tell(.revocationsChanged)
    return true
  }

  /// The log names apps also once they are gone.
  /// - Parameter revokedAt: when the owner revoked them, in seconds since 1970; nil if they ended in another way.
  package func keepNames(of pairings: [Pairing], revokedAt: Int64? = nil) {
    guard !pairings.isEmpty else { return }
    formerApps.withLock { former in
      for gone in pairings { former.keep(gone.name, of: gone.client, revokedAt: revokedAt) }
      _ = store.save(former)
    }
  }

  /// When the owner last revoked an app, in seconds since 1970; nil for one that was never revoked, or that is one of many former ones.
  package func revokedAt(_ client: PublicKey) -> Int64? { formerApps.withLock { $0.revokedAt(client) } }

  /// - Returns: the pairing that ended; nil when it could not be stored.
  private func end(
    _ pairing: Pairing, by ending: Ending, followedBy next: (offer: PairingOffer, signer: KeyPair)? = nil
  ) -> Pairing? {
    let remoteSigner = pairing.remoteSigner
    let end: PairingEnding = ending == .app ? .byApp : .byOwner
    let isStored = outbox.recorded(.unpaired(pairing, by: ending, time: Clock.milliseconds)) {
      guard let next else { return store.end([remoteSigner], end) }
      return store.end(remoteSigner, end, followedBy: next.offer, signer: next.signer)
    }
    guard isStored else { return nil }
    let ended = engine.end(remoteSigner, followedBy: next.map { ($0.offer.pairing, $0.signer) }, now: Clock.seconds)
    dropPending(ended, ending == .app ? "its app logged out" : "you revoked its app")
    return pairing
  }
}
