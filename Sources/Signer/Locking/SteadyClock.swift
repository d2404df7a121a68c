import Platform

/// The time of day at the start, continued by a clock that nobody can set. The waits between passphrases do not end early when
/// the time of day is set forward.
struct SteadyClock: Sendable {
  private let startedAt = Clock.milliseconds
  private let bootAtStart = Clock.boot

  /// Milliseconds since 1970.
  var milliseconds: Int64 { startedAt + (Clock.boot - bootAtStart) * 1000 }
}
