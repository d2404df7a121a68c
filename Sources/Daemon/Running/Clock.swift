import Glibc

/// The time of day and the time since boot.
enum Clock {
  /// Seconds since 1970.
  static var seconds: Int64 { Int64(read(CLOCK_REALTIME).tv_sec) }

  /// Milliseconds since 1970.
  static var milliseconds: Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Seconds since some point in the past; counts the time a machine sleeps, never goes back.
  static var boot: Int64 { Int64(read(CLOCK_BOOTTIME).tv_sec) }

  /// The same in milliseconds.
  static var bootMilliseconds: Int64 {
    let time = read(CLOCK_BOOTTIME)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
