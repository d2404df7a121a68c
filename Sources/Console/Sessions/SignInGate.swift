/// How often somebody may try to sign in. The secrets cannot be guessed; this keeps attempts from costing anything.
struct SignInGate {
  /// Attempts at once, and milliseconds until one more is given back: for one address, and for all together.
  static let perPeer = (burst: Int64(10), each: Int64(6_000))
  static let overall = (burst: Int64(60), each: Int64(1_000))
  /// Addresses that are told apart; the others share what all have together.
  static let mostPeers = 256
  /// Milliseconds between two entries about failed attempts.
  static let tellingMilliseconds: Int64 = 60_000
  /// Failures that are told one by one before that.
  static let toldAtOnce = 5

  private struct Bucket {
    var left: Int64
    var since: Int64

    mutating func take(_ rate: (burst: Int64, each: Int64), now: Int64) -> Bool {
      let given = min(rate.burst, max(0, now - since) / rate.each)
      left = min(rate.burst, left + given)
      since = left == rate.burst ? now : since + given * rate.each
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }

  private var all: Bucket
  private var peers: [String: Bucket] = [:]
  private var untold = 0
  private var told = 0
  private var toldAt: Int64 = 0

  init(now: ConsoleTime) { all = Bucket(left: Self.overall.burst, since: now.steady) }

  /// Whether this address may try now.
  mutating func admits(_ peer: String, now: ConsoleTime) -> Bool {
    if peers[peer] == nil, peers.count >= Self.mostPeers {
      peers = peers.filter { now.steady - $0.value.since < Self.perPeer.burst * Self.perPeer.each }
    }
    if peers[peer] != nil || peers.count < Self.mostPeers {
      guard peers[peer, default: Bucket(left: Self.perPeer.burst, since: now.steady)].take(Self.perPeer, now: now.steady) else {
        return false
      }
    }
    return all.take(Self.overall, now: now.steady)
  }

  /// An attempt failed.
  /// - Returns: how many failures to tell of now; nil to wait.
  mutating func failed(now: ConsoleTime) -> Int? {
    untold += 1
    if now.steady - toldAt >= Self.tellingMilliseconds { told = 0 }
    guard told < Self.toldAtOnce else { return nil }
    told += 1
    toldAt = now.steady
    defer { untold = 0 }
    return untold
  }

  /// Somebody signed in: the address gets its attempts back.
  mutating func succeeded(_ peer: String) { peers[peer] = nil }
}
