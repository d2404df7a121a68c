/// The waits of a relay pool, in milliseconds.
public struct PoolTiming: Sendable {
  /// The wait before the first reconnect; it doubles with each failure.
  public var firstReconnect = 1_000
  /// The longest wait between reconnects.
  public var longestReconnect = 600_000
  /// How long a connection must have lasted for its loss to count as a first failure again.
  public var stableAfter = 30_000
  /// How long a relay may take to confirm subscriptions.
  public var confirmedWithin = 10_000
  /// How long a relay may take to answer OK.
  public var okWithin = 10_000
  /// The waits before a refused answer is sent again, each time as a new event.
  public var retries = [200, 400, 800, 1_600, 3_200]
  /// The wait before a further page of stored events is asked for.
  public var betweenPages = 250
  /// How long an answer waits for a relay that is not connected.
  public var queuedWithin = 60_000
  /// Returns a random number from 0 up to, not including, 1. It spreads reconnects, so that clients do not all return at once.
  public var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// The default waits.
  public init() {}

  /// The wait before reconnect number `attempt`, counted from 0: half of it fixed, half of it random.
  func reconnect(after attempt: Int) -> Int {
    let full = min(longestReconnect, firstReconnect << min(attempt, 20))
    return full / 2 + Int(Double(full / 2) * jitter())
  }
}
