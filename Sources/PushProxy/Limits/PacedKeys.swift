/// A rate limit for each of many keys: so many at once, then one in each interval. No clock: times are milliseconds of a clock that
/// never goes back.
///
/// It remembers one number a key: the time at which the key would be unused again (GCRA, the "leaky bucket as a meter").
struct PacedKeys<Key: Hashable> {
  private let interval: Int64
  private let burst: Int64
  private let limit: Int
  private var unusedAt: [Key: Int64] = [:]
  private var swept: Int64 = .min

  /// - Parameters:
  ///   - interval: milliseconds after which a key may be used once more.
  ///   - burst: how often an unused key may be used at once.
  ///   - limit: the most keys that are remembered. While more than that are in use, the others are not limited.
  init(interval: Int64, burst: Int64, limit: Int) {
    (self.interval, self.burst, self.limit) = (interval, burst, limit)
  }

  /// How many keys are remembered.
  var count: Int { unusedAt.count }

  /// Whether `take` would succeed.
  func has(_ key: Key, now: Int64) -> Bool { unusedAt[key].map { $0 - now <= interval * (burst - 1) } ?? true }

  /// Uses a key once, if its limit allows that.
  mutating func take(_ key: Key, now: Int64) -> Bool {
    guard has(key, now: now) else { return false }
    makeRoom(for: key, now: now)
    if unusedAt[key] != nil || unusedAt.count < limit { unusedAt[key] = max(unusedAt[key] ?? now, now) + interval }
    return true
  }

  /// Uses a key once, now or as soon as its limit allows that.
  /// - Parameter most: the longest delay, in milliseconds.
  /// - Returns: the delay; nil, and the key is not used, when it would be longer.
  mutating func delay(_ key: Key, most: Int64, now: Int64) -> Int64? {
    let delay = max(0, (unusedAt[key] ?? now) - now - interval * (burst - 1))
    guard delay <= most else { return nil }
    makeRoom(for: key, now: now)
    if unusedAt[key] != nil || unusedAt.count < limit { unusedAt[key] = max(unusedAt[key] ?? now, now) + interval }
    return delay
  }

  /// Takes back one use.
  mutating func giveBack(_ key: Key) {
    if let time = unusedAt[key] { unusedAt[key] = time - interval }
  }

  /// Forgets keys that are unused. It looks at all of them, and therefore at most once in an interval.
  private mutating func makeRoom(for key: Key, now: Int64) {
    guard unusedAt[key] == nil, unusedAt.count >= limit, swept == .min || now - swept >= interval else { return }
    swept = now
    unusedAt = unusedAt.filter { $0.value > now }
  }
}
