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
  /// Seconds after its start for which those before it look after its keys, too: it has to subscribe first. The same goes for one that was away,
  /// has a wrong clock, or is about to end.
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

  /// These, and earlier ones that have not been heard of since.
  func joined(_ before: LiveProxies) -> LiveProxies {
    let silent = before.settled.subtracting(others).subtracting([own])
    return LiveProxies(own: own, others: others.union(before.others), settled: settled.union(silent))
  }

  /// What the operator is told when other proxies come or go; nil when they are the same.
  static func news(of others: Set<Int64>, after before: Set<Int64>) -> String? {
    let (come, gone) = (others.subtracting(before).count, before.subtracting(others).count)
    guard come + gone > 0 else { return nil }
    let what = [
      come > 0 ? "\(come) \(come == 1 ? "proxy shares" : "proxies share") the database with this one now." : nil,
      gone > 0
        ? "\(gone) \(gone == 1 ? "proxy" : "proxies") that shared the database ended or \(gone == 1 ? "says" : "say") nothing."
        : nil,
    ].compactMap { $0 }
    return (what + [others.isEmpty ? "This proxy is alone." : "There are \(others.count + 1)."]).joined(separator: " ")
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
