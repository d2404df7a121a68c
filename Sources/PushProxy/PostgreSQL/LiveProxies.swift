import Curve
import Encodings

/// Which proxies of a database are live, and which keys each of them looks after (rendezvous hashing: when one comes or goes, only its keys
/// move). No I/O.
///
/// Two proxies look after each key: requests are not stored by relays, and one proxy may end at any moment. The database decides which of
/// the two wakes for a request.
struct LiveProxies: Equatable {
  /// How many proxies look after a key.
  static let watchersOfKey = 2
  /// Seconds after its last sign of life at which a proxy counts as dead.
  static let leaseSeconds: Int64 = 5
  /// Seconds after its start for which those before it look after its keys, too: it has to subscribe first.
  static let settlingSeconds: Int64 = 10

  /// This proxy.
  let own: Int64
  /// The other live proxies.
  var others: Set<Int64> = []
  /// The proxies, this one as well, that have been there for a while.
  var settled: Set<Int64> = []

  init(own: Int64, others: Set<Int64> = [], settled: Set<Int64> = []) {
    (self.own, self.others, self.settled) = (own, others, settled)
  }

  /// Those that are live here or there.
  func joined(_ more: LiveProxies) -> LiveProxies {
    LiveProxies(own: own, others: others.union(more.others), settled: settled.union(more.settled))
  }

  /// Whether this proxy looks after a key.
  func watches(_ key: PublicKey) -> Bool {
    isAmongFirst(key, others) || (settled.contains(own) && isAmongFirst(key, settled.subtracting([own])))
  }

  private func isAmongFirst(_ key: PublicKey, _ others: Set<Int64>) -> Bool {
    guard others.count >= Self.watchersOfKey else { return true }
    let mine = Self.weight(key, own)
    return others.count { (Self.weight(key, $0), $0) > (mine, own) } < Self.watchersOfKey
  }

  /// The same number in every proxy. Where a key goes is no secret, so this need not withstand an attacker.
  private static func weight(_ key: PublicKey, _ proxy: Int64) -> UInt64 {
    let word = key.bytes.withUnsafeBytes { UInt64(bigEndian: $0.load(as: UInt64.self)) }
    return mixed(word ^ mixed(UInt64(bitPattern: proxy)))
  }

  // The finalizer of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
