import Curve
import Encodings
import Sockets

extension RelayConnection {
  /// The keys that logged in on this connection (NIP-42).
  struct Login {
    var challenge: String?
    var keys: [PublicKey] = []
    var waiting: Set<Bytes32> = []
    var isAccepted = false
    var timer: Timer?
  }
}
