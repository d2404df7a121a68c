/// Decides when a planned backup is made. No I/O, no clock.
package enum BackupDue {
  /// The pause after the first failure, in seconds. It doubles with each further failure.
  static let firstPause: Int64 = 60
  /// The longest pause after failures, in seconds.
  static let longestPause: Int64 = 6 * 3600
  /// How many failures in a row the owner is told of.
  package static let failuresTold: Int64 = 3

  /// - Parameters:
  ///   - now: seconds since 1970, by a clock that may be set.
  ///   - sinceAttempt: seconds since this process last tried, by a clock that counts sleep and that nobody can set; nil if it has
  ///     not tried.
  static func isDue(_ plan: BackupPlan, now: Int64, sinceAttempt: Int64?) -> Bool {
    guard let attempt = plan.lastAttempt else { return true }
    let wanted = plan.failures > 0 ? pause(after: plan.failures, plan.every) : plan.every
    if let sinceAttempt { return sinceAttempt >= wanted }
    // After a start, only the wall clock is known. If it was set back, the next backup would be put off for as long.
    return now < attempt || now - attempt >= wanted
  }

  /// How many seconds to wait after so many failures in a row.
  static func pause(after failures: Int64, _ every: Int64) -> Int64 {
    var pause = firstPause
    for _ in 1..<max(2, min(failures, 20)) where failures > 1 && pause < longestPause { pause *= 2 }
    return min(pause, longestPause, every)
  }
}
