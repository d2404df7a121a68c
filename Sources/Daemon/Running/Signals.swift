import Platform

/// Signals that end the daemon, waited for by one thread instead of interrupting any.
enum Signals {
  private static var ending: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
    return set
  }

  /// Holds the signals back for this thread and all that it starts later. A peer that hangs up is an error code, not a signal.
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
