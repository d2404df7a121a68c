import Sockets

/// Counts failed sign-in attempts by peer. A correct sign-in always succeeds, because the secrets cannot be guessed. The limiter
/// only keeps failures from filling the log, and tells programs that they fail too often.
struct SignInLimiter {
  /// Failures allowed at once, and milliseconds until one more is allowed.
  static let perPeer = (burst: Int64(10), each: Int64(6_000))
  /// Peers that are counted separately. When all of them fail too often, further peers are limited, too.
  static let mostPeers = 256
  /// Milliseconds between two log entries about failed attempts.
  static let tellingMilliseconds: Int64 = 60_000
  /// Failures that are reported one by one before that.
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

  private var peers: [Holder: Bucket] = [:]
  private var untold = 0
  private var untoldFrom: Set<Holder> = []
  private var told = 0
  private var toldAt: Int64 = 0

  /// The result of a failure.
  enum Failure: Equatable {
    /// This peer fails too often, and the failure is not reported.
    case tooMany
    /// The failures to report now; nil to wait.
    case counted(toTell: Untold?)
  }

  /// Failures that were not reported yet.
  struct Untold: Equatable {
    let count: Int
    /// The peer of all of them; nil if there were several.
    let peer: Holder?
  }

  /// Counts a failed attempt of this peer.
  mutating func failed(_ peer: Holder, now: ConsoleTime) -> Failure {
    if peers[peer] == nil, peers.count >= Self.mostPeers {
      peers = peers.filter { now.steady - $0.value.since < Self.perPeer.burst * Self.perPeer.each }
    }
    guard peers[peer] != nil || peers.count < Self.mostPeers,
      peers[peer, default: Bucket(left: Self.perPeer.burst, since: now.steady)].take(Self.perPeer, now: now.steady)
    else { return .tooMany }
    return .counted(toTell: toTell(peer, now))
  }

  private mutating func toTell(_ peer: Holder, _ now: ConsoleTime) -> Untold? {
    untold += 1
    if untoldFrom.count < Self.mostPeers { untoldFrom.insert(peer) }
    if now.steady - toldAt >= Self.tellingMilliseconds { told = 0 }
    guard told < Self.toldAtOnce else { return nil }
    told += 1
    toldAt = now.steady
    defer { (untold, untoldFrom) = (0, []) }
    return Untold(count: untold, peer: untoldFrom.count == 1 ? peer : nil)
  }

  /// Forgets a peer's failures after it signed in.
  mutating func succeeded(_ peer: Holder) { peers[peer] = nil }
}
