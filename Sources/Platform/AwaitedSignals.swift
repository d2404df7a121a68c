/// Signals that a program waits for, instead of being interrupted by them.
public struct AwaitedSignals: Sendable {
  /// Ctrl-C, and what else asks a program to end.
  public static let ending = [SIGINT, SIGTERM, SIGHUP]

  private let set: sigset_t

  /// - Parameter signals: numbers such as `SIGTERM`.
  public init(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    self.set = set
  }

  /// Blocks the signals for this thread and all threads that it starts later.
  public func hold() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the signals, which `hold` blocked.
  public func wait() -> Int32 {
    var (set, received) = (set, Int32(0))
    while sigwait(&set, &received) != 0 {}
    return received
  }

  /// The same for a time.
  /// - Returns: nil when none came within so many milliseconds.
  public func wait(milliseconds: Int) -> Int32? {
    var set = set
    var pause = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
    let received = sigtimedwait(&set, nil, &pause)
    return received > 0 ? received : nil
  }

  /// Whether one has come since the last check or wait.
  public var hasCome: Bool {
    var (set, now) = (set, timespec())
    return sigtimedwait(&set, nil, &now) > 0
  }
}
