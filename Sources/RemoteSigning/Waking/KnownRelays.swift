public import Curve

/// Which relays a push may name.
extension SigningEngine {
  /// Whether an app or a link names the relay. A push may come from anybody: no other relay is ever asked, and no key answers at a relay of
  /// another app's.
  /// - Parameter recipient: the signer's key that a request is for; nil if it is not known yet.
  public func knows(_ relay: RelayURL, for recipient: PublicKey?) -> Bool {
    guard relays.contains(relay) else { return false }
    guard let recipient else { return true }
    return remoteSigners(at: relay).contains(recipient)
  }

  /// The keys that requests at a relay may be addressed to: those whose link or pairing names it. A relay is asked for no others, so that an
  /// app's own relay learns of no other app's key.
  public func remoteSigners(at relay: RelayURL) -> [PublicKey] { remoteSignersByRelay[relay] ?? [] }
}
