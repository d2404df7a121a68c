import Platform

/// Signals that end the daemon. One thread waits for them, and no thread is interrupted.
enum Signals {
  private static var ending: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
    return set
  }

  /// Blocks the signals for this thread and all threads that it starts later. A peer that hangs up causes an error code, not a
  /// signal.
  static func hold() {
    var set = ending
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits until the process is asked to end.
  static func waitForEnd() {
    var (set, received) = (ending, Int32(0))
    while sigwait(&set, &received) != 0 {}
  }
}
