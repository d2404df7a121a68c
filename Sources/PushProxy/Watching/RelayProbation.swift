import Relays
import Sockets

/// Which relays of a pool are left alone because they do not work. No I/O and no clock.
struct RelayProbation {
  /// Failures without a success after which a relay is left alone.
  static let mostFailures = 10
  /// Milliseconds after which it is tried again, once.
  static let pause = 3_600_000

  /// Milliseconds that a connection must have lasted to be a success.
  static let success: Int64 = 30_000

  private var failures: [WebSocketURL: Int] = [:]
  private var connectedAt: [WebSocketURL: Int64] = [:]
  /// The relays that are left alone.
  private(set) var evicted: Set<WebSocketURL> = []

  /// Notes a new connection.
  /// - Parameter now: milliseconds of a clock that never goes back.
  mutating func connected(_ relay: WebSocketURL, now: Int64) { connectedAt[relay] = now }

  /// Notes the end of a connection, or of an attempt to make one.
  /// - Returns: whether the relay is to be left alone from now on.
  mutating func lost(_ relay: WebSocketURL, now: Int64) -> Bool {
    if let start = connectedAt.removeValue(forKey: relay), now - start >= Self.success { failures[relay] = 0 }
    let count = min((failures[relay] ?? 0) + 1, Self.mostFailures)
    failures[relay] = count
    return count == Self.mostFailures && evicted.insert(relay).inserted
  }

  /// Has the relay tried again. One failure evicts it again.
  mutating func probe(_ relay: WebSocketURL) {
    guard evicted.remove(relay) != nil else { return }
    failures[relay] = Self.mostFailures - 1
  }

  /// Forgets relays that nobody names any more.
  mutating func keep(_ relays: Set<WebSocketURL>) {
    failures = failures.filter { relays.contains($0.key) }
    connectedAt = connectedAt.filter { relays.contains($0.key) }
    evicted.formIntersection(relays)
  }
}
