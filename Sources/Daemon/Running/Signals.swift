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
  /// - Parameter ends: whether a signal that asks for the end is obeyed.
  /// - Returns: whether the process is asked to end.
  static func waitForEnd(or isOver: () -> Bool, ends: (Int32) -> Bool) -> Bool {
    while true {
      let signal = awaited.wait()
      if signal == waking {
        if isOver() { return false }
      } else if ends(signal) {
        return true
      }
    }
  }

  /// Lets the waiting thread look again.
  static func wake() { kill(getpid(), waking) }
}
