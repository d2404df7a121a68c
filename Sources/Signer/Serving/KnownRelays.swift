package import Curve
package import RemoteSigning
package import Sockets

extension SigningEngine {
  /// Whether an app or a link of this vault names the relay. A push may come from anybody: no other relay is ever asked, and no key answers at
  /// a relay of another app's.
  /// - Parameter recipient: the signer's key that a request is for; nil if it is not known yet.
  package func knows(_ relay: WebSocketURL, for recipient: PublicKey?) -> Bool {
    guard relays.contains(where: { $0.isSame(as: relay) }) else { return false }
    guard let recipient else { return true }
    return remoteSignersByRelay.contains { $0.key.isSame(as: relay) && $0.value.contains(recipient) }
  }
}

extension RelayURL {
  /// Whether both have the same address.
  package func isSame(as other: WebSocketURL) -> Bool { (try? WebSocketURL(parsing: text)) == other }
}
