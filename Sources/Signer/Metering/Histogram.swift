/// Counts durations in buckets. This shows how long most took without storing each.
package struct Histogram: Sendable {
  /// Upper bounds in nanoseconds, ascending. Durations above the last one have their own bucket.
  package let bounds: [UInt64]
  /// How many durations are in each bucket. The last bucket has no bound.
  package private(set) var counts: [UInt64]
  /// The sum of all durations in nanoseconds. It wraps after 584 years.
  package private(set) var sum: UInt64 = 0

  init(bounds: [UInt64]) {
    self.bounds = bounds
    counts = [UInt64](repeating: 0, count: bounds.count + 1)
  }

  package var count: UInt64 { counts.reduce(0, &+) }

  mutating func observe(_ nanoseconds: UInt64) {
    var bucket = 0
    while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
    counts[bucket] &+= 1
    sum &+= nanoseconds
  }

  /// The bound below which this share of all durations lies. Nil when there are none, or when it is in the last bucket.
  package func bound(of share: Double) -> UInt64? {
    let wanted = Double(count) * share
    var seen: UInt64 = 0
    for (bound, count) in zip(bounds, counts) {
      seen &+= count
      if seen > 0, Double(seen) >= wanted { return bound }
    }
    return nil
  }
}

extension Histogram {
  private static let millisecond: UInt64 = 1_000_000
  private static let second: UInt64 = 1_000_000_000

  /// For a machine's work: 0.1 ms to 10 s.
  static let quick = Histogram(
    bounds: [100_000, 250_000, 500_000]
      + [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000].map { $0 * millisecond })
  /// For a person's reaction: a second to a day.
  static let patient = Histogram(bounds: [1, 2, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400].map { $0 * second })
}
