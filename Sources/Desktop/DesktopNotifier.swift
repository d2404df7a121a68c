internal import Platform

/// Shows notices on the owner's desktop and hears what is pressed. Its thread and its connection exist only while something stands
/// there or should.
public final class DesktopNotifier: Sendable {
  /// How it stands with the desktop.
  public enum Condition: String, Sendable {
    /// Nothing had to be shown yet.
    case unused
    case shown
    case noLibrary = "libsystemd is not installed"
    case noBus = "there is no session bus"
    case noDesktop = "no desktop shows notifications"
  }

  /// What a press leads to.
  public enum Answer: Sendable {
    /// It is being dealt with.
    case taken
    /// The owner wants to see an address of ours.
    case open(String)
  }

  private struct Hook: Sendable { let pressed: @Sendable (_ notice: String, _ action: String) -> Answer }

  private struct State {
    var board = NoticeBoard()
    var condition = Condition.unused
    var thread: SystemThread?
    var isRunning = false
    var isStopping = false
    /// Written to, it wakes the thread.
    var waker: Int32 = -1
  }

  private let state = Locked(State())
  private let hook: Hook

  /// - Parameter pressed: hears on the notifier's thread which action of which notice the owner pressed.
  public init(pressed: @escaping @Sendable (_ notice: String, _ action: String) -> Answer) { hook = Hook(pressed: pressed) }

  /// How the last attempt went.
  public var condition: Condition { state.withLock { $0.condition } }

  /// Sets all that should stand on the desktop; what is missing from it goes away. Does not wait.
  public func show(_ notices: [DesktopNotice]) {
    state.withLock { state in
      guard !state.isStopping else { return }
      state.board.want(notices)
      if state.isRunning { return wake(state) }
      guard !state.board.isIdle else { return }
      if let last = state.thread { last.join() }  // it has said that it is over
      state.isRunning = true
      state.thread = SystemThread.start { [self] in run() }
      if state.thread == nil { state.isRunning = false }
    }
  }

  /// Takes all notices away and ends the thread.
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
    _ = write(state.waker, &byte, 1)  // a full one wakes as well
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

  /// At the end nobody may find the waker or the thread any more. A desktop that cannot be reached holds up no stop.
  private func isOver() -> Bool {
    state.withLock { state in
      let isStuck = state.isStopping && state.condition != .shown
      guard state.board.isIdle || isStuck else { return false }
      (state.isRunning, state.waker) = (false, -1)
      return true
    }
  }
}
