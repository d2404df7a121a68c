import Platform

/// For how long no relay was connected.
final class RelaySilence: Sendable {
  /// Milliseconds between two checks of the connections.
  static let pause = 5_000

  private let heard: Locked<Int64>

  /// - Parameter now: milliseconds of a clock that never goes back.
  init(now: Int64) { heard = Locked(now) }

  /// Notes whether a relay is connected.
  /// - Returns: for how many milliseconds none was.
  @discardableResult func look(isConnected: Bool, now: Int64) -> Int64 {
    heard.withLock { heard in
      if isConnected { heard = now }
      return max(0, now - heard)
    }
  }
}
