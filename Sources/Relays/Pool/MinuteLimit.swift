import Platform

/// A limit per minute, by a clock that never goes back.
struct MinuteLimit {
  private var minute = Int64.min
  private var taken = 0

  /// Takes one, and returns whether one was left in this minute.
  mutating func take(_ limit: Int, now: Int64 = Clock.monotonicMilliseconds) -> Bool {
    if now / 60_000 != minute { (minute, taken) = (now / 60_000, 0) }
    guard taken < limit else { return false }
    taken += 1
    return true
  }
}
