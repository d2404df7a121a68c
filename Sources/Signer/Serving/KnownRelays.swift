package import RemoteSigning
package import Sockets

extension SigningEngine {
  /// Whether an app or a link of this vault names the relay. A push may come from anybody, and no other relay is ever asked.
  package func knows(_ relay: WebSocketURL) -> Bool { relays.contains { $0.isSame(as: relay) } }
}

extension RelayURL {
  /// Whether both have the same address.
  package func isSame(as other: WebSocketURL) -> Bool { (try? WebSocketURL(parsing: text)) == other }
}
