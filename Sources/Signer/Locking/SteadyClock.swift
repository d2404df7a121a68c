import Platform

/// The time of day as it was at the start, carried on by a clock that nobody sets: waits between passphrases do not end because
/// the time of day was set forward.
struct SteadyClock: Sendable {
  private let startedAt = Clock.milliseconds
  private let bootAtStart = Clock.boot

  /// Milliseconds since 1970.
  var milliseconds: Int64 { startedAt + (Clock.boot - bootAtStart) * 1000 }
}
