import Curve
import Platform
import Sockets

/// How much one address and one key may ask for.
struct ProxyLimiter: Sendable {
  private struct Buckets {
    var holders: TokenBuckets<Holder>
    var keys: TokenBuckets<PublicKey>
  }

  private let buckets: Locked<Buckets>

  init(_ rates: ProxyServer.Rates) {
    buckets = Locked(
      Buckets(
        holders: TokenBuckets(rates.address, limit: Self.mostRemembered),
        keys: TokenBuckets(rates.key, limit: Self.mostRemembered)))
  }

  /// - Parameter now: milliseconds of a clock that is never set.
  func take(_ holder: Holder, now: Int64) -> Bool { buckets.withLock { $0.holders.take(holder, now: now) } }

  /// - Parameter now: milliseconds of a clock that is never set.
  func take(_ key: PublicKey, now: Int64) -> Bool { buckets.withLock { $0.keys.take(key, now: now) } }

  /// The most addresses, and the most keys, whose requests are counted at once.
  private static let mostRemembered = 20_000

  static let refusal = ProxyRefusal(429, .tooManyRequests, "There were too many requests. Try again in a minute.")
}
