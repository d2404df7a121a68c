import Platform

/// So many within one minute of the clock that never goes back.
struct MinuteLimit {
  private var minute = Int64.min
  private var taken = 0

  /// Whether there was one left in this minute; it is taken then.
  mutating func take(_ limit: Int, now: Int64 = Clock.monotonicMilliseconds) -> Bool {
    if now / 60_000 != minute { (minute, taken) = (now / 60_000, 0) }
    guard taken < limit else { return false }
    taken += 1
    return true
  }
}
