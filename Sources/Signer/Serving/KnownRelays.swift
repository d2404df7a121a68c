package import Curve
package import RemoteSigning
package import Sockets

extension SigningEngine {
  /// Whether an app or a link of this vault names the relay.
  /// - Parameter recipient: the signer's key that a request is for; nil if it is not known yet.
  package func knows(_ relay: WebSocketURL, for recipient: PublicKey?) -> Bool {
    RelayURL(relay.text).map { knows($0, for: recipient) } ?? false
  }
}

extension RelayURL {
  /// Whether both have the same address.
  package func isSame(as other: WebSocketURL) -> Bool { (try? WebSocketURL(parsing: text)) == other }
}
