/// The machine's clocks.
public enum Clock {
  /// The time of day, in seconds since 1970-01-01 UTC. Anybody with the right to may set it.
  public static var seconds: Int64 { Int64(read(CLOCK_REALTIME).tv_sec) }

  /// The time of day, in milliseconds since 1970-01-01 UTC.
  public static var milliseconds: Int64 { read(CLOCK_REALTIME).milliseconds }

  /// Seconds since the machine was started. Counts the time it sleeps, and is never set.
  public static var boot: Int64 { Int64(read(bootClock).tv_sec) }

  /// Milliseconds since the machine was started. Counts the time it sleeps, and is never set.
  public static var bootMilliseconds: Int64 { read(bootClock).milliseconds }

  /// Milliseconds since some moment in the past. Stands still while the machine sleeps, and is never set.
  public static var monotonicMilliseconds: Int64 { read(CLOCK_MONOTONIC).milliseconds }

  /// As `monotonicMilliseconds`, in microseconds.
  public static var monotonicMicroseconds: Int64 { read(CLOCK_MONOTONIC).nanoseconds / 1_000 }

  /// As `monotonicMilliseconds`, in nanoseconds.
  public static var monotonicNanoseconds: UInt64 { UInt64(bitPattern: read(CLOCK_MONOTONIC).nanoseconds) }

  #if canImport(Darwin)
    private static let bootClock = CLOCK_MONOTONIC  // counts sleep there
  #else
    private static let bootClock = CLOCK_BOOTTIME
  #endif

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

extension timespec {
  fileprivate var milliseconds: Int64 { Int64(tv_sec) * 1_000 + Int64(tv_nsec) / 1_000_000 }
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
