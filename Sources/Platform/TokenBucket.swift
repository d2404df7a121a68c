/// A rate limit: a number per second, with a burst.
package struct TokenBucket: Sendable {
  /// The number per second, and the burst.
  package struct Rate: Sendable, Equatable {
    package let perSecond: Int
    package let burst: Int

    package init(perSecond: Int, burst: Int) { (self.perSecond, self.burst) = (perSecond, burst) }
  }

  private var thousandths: Int64
  private var last: Int64

  /// A full bucket. `now` is in milliseconds, of a clock that is never set.
  package init(_ rate: Rate, now: Int64) {
    thousandths = Int64(rate.burst) * 1_000
    last = now
  }

  /// Takes one token, or `count` of them, if available. `now` is in milliseconds.
  package mutating func take(_ rate: Rate, count: Int = 1, now: Int64) -> Bool {
    refill(rate, now: now)
    guard thousandths / 1_000 >= Int64(count) else { return false }
    thousandths -= Int64(count) * 1_000
    return true
  }

  /// Whether a token is available.
  package mutating func has(_ rate: Rate, now: Int64) -> Bool {
    refill(rate, now: now)
    return thousandths >= 1_000
  }

  /// Takes all available tokens.
  package mutating func takeAll(_ rate: Rate, now: Int64) -> Int {
    refill(rate, now: now)
    defer { thousandths %= 1_000 }
    return Int(thousandths / 1_000)
  }

  /// Whether the bucket is full. A full bucket need not be stored.
  package mutating func isFull(_ rate: Rate, now: Int64) -> Bool {
    refill(rate, now: now)
    return thousandths == Int64(rate.burst) * 1_000
  }

  private mutating func refill(_ rate: Rate, now: Int64) {
    let elapsed = min(max(0, now - last), 3_600_000)
    last = max(last, now)
    thousandths = min(Int64(rate.burst) * 1_000, thousandths + elapsed * Int64(rate.perSecond))
  }
}

/// One bucket for each key, for a limited number of keys.
package struct TokenBuckets<Key: Hashable> {
  private var buckets: [Key: TokenBucket] = [:]
  private let rate: TokenBucket.Rate
  private let limit: Int

  /// - Parameter limit: the most keys that are remembered.
  package init(_ rate: TokenBucket.Rate, limit: Int) {
    self.rate = rate
    self.limit = limit
  }

  /// Takes one of the key's tokens. When the table is full of keys that are being limited, a new key is refused.
  package mutating func take(_ key: Key, now: Int64) -> Bool {
    if buckets[key] == nil, buckets.count >= limit { dropFull(now) }
    guard buckets.count < limit || buckets[key] != nil else { return false }
    return buckets[key, default: TokenBucket(rate, now: now)].take(rate, now: now)
  }

  private mutating func dropFull(_ now: Int64) {
    buckets = buckets.filter { _, bucket in
      var bucket = bucket
      return !bucket.isFull(rate, now: now)
    }
  }
}
