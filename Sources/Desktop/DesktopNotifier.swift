import Platform

/// Shows notices on the owner's desktop and reports which actions are pressed. Its thread and its connection exist only while
/// there is a notice to show.
public final class DesktopNotifier: Sendable {
  /// The state of the connection to the desktop.
  public enum Condition: String, Sendable {
    /// Nothing had to be shown so far.
    case unused
    case shown
    case noLibrary = "libsystemd is not installed"
    case noBus = "there is no session bus"
    case noDesktop = "no desktop shows notifications"
  }

  /// The result of a press.
  public enum Answer: Sendable {
    /// The press is being handled.
    case taken
    /// The owner wants to open one of our addresses.
    case open(String)
  }

  private struct Hook: Sendable { let pressed: @Sendable (_ notice: String, _ action: String) -> Answer }

  private struct State {
    var board = NoticeBoard()
    var condition = Condition.unused
    var thread: SystemThread?
    var isRunning = false
    var isStopping = false
    /// A write to it wakes the thread.
    var waker: Int32 = -1
  }

  private let state = Locked(State())
  private let hook: Hook

  /// - Parameter pressed: called on the notifier's thread with the notice and the action that the owner pressed.
  public init(pressed: @escaping @Sendable (_ notice: String, _ action: String) -> Answer) { hook = Hook(pressed: pressed) }

  /// The result of the last attempt.
  public var condition: Condition { state.withLock { $0.condition } }

  /// Sets all notices that are to be shown. Others are removed. Does not wait.
  public func show(_ notices: [DesktopNotice]) {
    state.withLock { state in
      guard !state.isStopping else { return }
      state.board.want(notices)
      if state.isRunning { return wake(state) }
      guard !state.board.isIdle else { return }
      if let last = state.thread { last.join() }  // it has marked itself as finished
      state.isRunning = true
      state.thread = SystemThread.start { [self] in run() }
      if state.thread == nil { state.isRunning = false }
    }
  }

  /// Removes all notices and ends the thread.
  public func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      state.board.want([])
      wake(state)
      defer { state.thread = nil }
      return state.thread
    }
    if let thread { thread.join() }
  }

  private func wake(_ state: State) {
    guard state.waker >= 0 else { return }
    var byte: UInt8 = 0
    _ = write(state.waker, &byte, 1)  // a full pipe wakes the thread, too
  }

  // MARK: the thread

  private func run() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(bitPattern: kind), 0, &ends) == 0 else { return state.withLock { $0.isRunning = false } }
    state.withLock { $0.waker = ends[1] }
    var desktop = DesktopLink(waker: ends[0])
    while true {
      let due = desktop.turn(board: { change in state.withLock { change(&$0.board) } }, pressed: hook.pressed)
      state.withLock { $0.condition = desktop.condition }
      if isOver() { break }
      desktop.wait(milliseconds: due)
    }
    close(ends[0])
    close(ends[1])
  }

  /// After this nobody may use the waker or the thread. A desktop that cannot be reached does not delay the end.
  private func isOver() -> Bool {
    state.withLock { state in
      let isStuck = state.isStopping && state.condition != .shown
      guard state.board.isIdle || isStuck else { return false }
      (state.isRunning, state.waker) = (false, -1)
      return true
    }
  }
}
