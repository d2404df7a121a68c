import Curve
package import OwnerAPI
package import RemoteSigning

extension UnreachedApp {
  /// The most apps that are named.
  private static let most = 20

  /// The apps none of whose relays can be reached, at most 20. An app that asks on this machine has no relay, and is never among them.
  /// - Parameter isAway: whether every try to connect to a relay has failed lately.
  package static func all(of pairings: [Pairing], isAway: (RelayURL) -> Bool) -> [UnreachedApp] {
    pairings.filter { !$0.relays.isEmpty && $0.relays.allSatisfy(isAway) }.prefix(most).map { UnreachedApp($0) }
  }

  private init(_ pairing: Pairing) {
    self.init()
    (pubkey, name, relays) = (pairing.client.hex, pairing.name, pairing.relays.map(\.text))
  }
}
