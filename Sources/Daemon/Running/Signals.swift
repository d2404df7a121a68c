import Platform

/// Signals that end the daemon. One thread waits for them, and no thread is interrupted.
enum Signals {
  private static let awaited = AwaitedSignals(AwaitedSignals.ending + [waking])

  /// Wakes the waiting thread. From another process it changes nothing.
  private static let waking = SIGUSR1

  /// Blocks the signals for this thread and all threads that it starts later. A peer that hangs up causes an error code, not a
  /// signal.
  static func hold() {
    awaited.hold()
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits until the process is asked to end, or until `isOver` when it is woken.
  /// - Returns: whether the process is asked to end.
  static func waitForEnd(or isOver: () -> Bool) -> Bool {
    while true {
      if awaited.wait() != waking { return true }
      if isOver() { return false }
    }
  }

  /// Lets the waiting thread look again.
  static func wake() { kill(getpid(), waking) }
}
