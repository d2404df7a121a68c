import CLinux
import Platform

/// Looks at a session when its time should be over. Its thread exists only while a session with an end is open.
///
/// A timer on CLOCK_BOOTTIME: after a sleep it goes off at once where the time has passed meanwhile.
final class SessionTimer: Sendable {
  /// Asks how long to wait in milliseconds; nil ends the thread.
  private struct Hook: Sendable { let untilOver: @Sendable () -> Int64? }

  private struct State {
    var isRunning = false
    var isStopped = false
    /// Somebody wants the session looked at since the thread did last.
    var isAsked = false
    var timer: Int32 = -1
    var hook: Hook?

    mutating func ask() {
      isAsked = true
      if timer >= 0 { _ = holdfast_set_boot_timer(timer, 0) }
    }
  }

  private let state = Locked(State())

  /// Begins, or looks again.
  func start(_ untilOver: @escaping @Sendable () -> Int64?) {
    let isNew = state.withLock { state in
      guard !state.isStopped else { return false }
      state.hook = Hook(untilOver: untilOver)
      state.ask()
      guard !state.isRunning else { return false }
      state.timer = holdfast_boot_timer()
      state.isRunning = state.timer >= 0  // no timer: the session is still looked at whenever it is used
      return state.isRunning
    }
    guard isNew else { return }
    guard let thread = SystemThread.start({ [self] in run() }) else { return state.withLock { Self.finish(&$0) } }
    thread.detach()
  }

  /// Looks again, where it was begun.
  func wake() {
    let hook = state.withLock { $0.hook }
    if let hook { start(hook.untilOver) }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.hook = nil
      state.ask()
    }
  }

  private func run() {
    while let (hook, timer) = begin() {
      let milliseconds = hook.untilOver()
      guard wait(milliseconds, on: timer) else { return }
      var expirations: UInt64 = 0
      while read(timer, &expirations, 8) < 0 && errno == EINTR {}
    }
  }

  private func begin() -> (Hook, Int32)? {
    state.withLock { state in
      state.isAsked = false
      guard let hook = state.hook else {
        Self.finish(&state)
        return nil
      }
      return (hook, state.timer)
    }
  }

  /// - Returns: false when there is nothing to wait for; the thread is over then.
  private func wait(_ milliseconds: Int64?, on timer: Int32) -> Bool {
    state.withLock { state in
      if state.isAsked { return true }  // it goes off at once
      // One more, so that the time is over when it goes off.
      if let milliseconds, holdfast_set_boot_timer(timer, milliseconds + 1) == 0 { return true }
      Self.finish(&state)
      return false
    }
  }

  private static func finish(_ state: inout State) {
    if state.timer >= 0 { close(state.timer) }
    (state.timer, state.isRunning) = (-1, false)
  }
}
