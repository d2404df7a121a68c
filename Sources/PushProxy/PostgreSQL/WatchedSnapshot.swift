import Curve
import Encodings
import Sockets

/// What was last read of the keys that this proxy looks after. It goes on with that while the database is away.
struct WatchedSnapshot {
  private(set) var keys: [PublicKey] = []
  private(set) var relays: [WebSocketURL: [PublicKey]] = [:]
  /// Hashes of signers with their clients, 8 bytes each, seeded for this process.
  private var pairs: Set<Int> = []

  init() {}

  init(_ database: any RegistrationsConnection, of proxies: LiveProxies) throws(RegistrationsError) {
    keys = try database.keys().filter(proxies.watches)
    let isOwn = Set(keys).contains
    relays = try database.relays(where: isOwn)
    var pairs: Set<Int> = []
    _ = try database.execute("SELECT DISTINCT signer, client FROM pairs", .reading, []) { row in
      guard let signer = Bytes32(row.bytes(0)).map(PublicKey.init), isOwn(signer), let client = Bytes32(row.bytes(1)) else {
        return
      }
      pairs.insert(Self.hash(PublicKey(client), signer))
    }
    self.pairs = pairs
  }

  func isPaired(_ client: PublicKey, with key: PublicKey) -> Bool { pairs.contains(Self.hash(client, key)) }

  private static func hash(_ client: PublicKey, _ signer: PublicKey) -> Int {
    var hasher = Hasher()
    hasher.combine(client)
    hasher.combine(signer)
    return hasher.finalize()
  }
}
