// The row of `attempts`, for docs/FORMATS.md: failures in a row, and the time of the last (ms since 1970-01-01 UTC).
// Not authenticated: while the vault is locked there is no key for it. Who can write the file can also copy it and try there;
// against him only the cost of the passphrase function counts. The back-off is against trying through this program.

/// How often in a row the passphrase was wrong, and how long the next attempt has to wait.
struct Attempts: Equatable {
  /// Attempts before there is any wait.
  static let free = 3
  /// The longest wait, in seconds.
  static let longestWait = 15 * 60

  var failures: Int
  /// Milliseconds since 1970-01-01 UTC.
  var failedAt: Int64

  /// Seconds between the last failure and the next attempt: 1 after the third, doubled after each one more.
  var wait: Int {
    guard failures >= Self.free else { return 0 }
    return min(Self.longestWait, 1 << min(failures - Self.free, 10))
  }

  /// Milliseconds still to wait.
  ///
  /// A clock that was set back neither ends the wait nor makes it longer than it was from the start.
  func remaining(now: Int64) -> Int64 {
    let whole = Int64(wait) * 1000
    guard now >= failedAt else { return whole }
    let (passed, overflow) = now.subtractingReportingOverflow(failedAt)
    return overflow ? 0 : max(0, whole - passed)
  }
}
