import Platform

/// Signals of the machine and the desktop about the person who uses them.
public enum MachineSignal: Sendable, Hashable, CaseIterable {
  /// The machine is about to sleep, and waits for us.
  case willSleep
  /// The owner's session was locked, or its screen saver came on.
  case desktopLocked
  /// The fingerprint service started, or somebody enrolled a finger: the fingers must be read again.
  case fingersMayHaveChanged
}

/// Receives signals of logind and of the desktop's screen saver. Its thread and its connections exist only while somebody
/// listens.
public final class MachineSignals: Sendable {
  private struct Hook: Sendable { let heard: @Sendable (MachineSignal) -> Void }

  private struct State {
    var wanted: Set<MachineSignal> = []
    var heard: Set<MachineSignal> = []
    var hook: Hook?
    var thread: SystemThread?
    /// A write to it wakes the thread.
    var waker: Int32 = -1
    var isStopping = false
  }

  private let state = Locked(State())

  /// Does not listen yet.
  public init() {}

  /// The signals that can be received now. When a bus or its service is missing, its signals never come.
  public var heard: Set<MachineSignal> { state.withLock { $0.heard } }

  /// Listens for these signals from now on; an empty set stops listening. Does not wait.
  /// - Parameter heard: called on its own thread. The machine does not sleep before it returns.
  public func listen(for wanted: Set<MachineSignal>, _ heard: @escaping @Sendable (MachineSignal) -> Void) {
    let thread: SystemThread? = state.withLock { state in
      guard !state.isStopping else { return nil }
      (state.wanted, state.hook) = (wanted, Hook(heard: heard))
      if state.waker >= 0 {
        wake(state)
        return nil
      }
      guard !wanted.isEmpty else { return nil }
      let last = state.thread
      state.thread = start(&state)
      return last
    }
    if let thread { thread.join() }  // it has marked itself as finished
  }

  /// Stops listening. No signal is reported after this returns. Must not be called from within `heard`.
  public func stop() {
    let thread = state.withLock { state in
      (state.isStopping, state.wanted, state.hook) = (true, [], nil)
      wake(state)
      defer { state.thread = nil }
      return state.thread
    }
    if let thread { thread.join() }
  }

  private func start(_ state: inout State) -> SystemThread? {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(bitPattern: kind), 0, &ends) == 0 else { return nil }
    let (woken, waker) = (ends[0], ends[1])
    state.waker = waker
    let thread = SystemThread.start { [self] in run(woken) }
    if thread == nil {
      close(woken)
      close(waker)
      state.waker = -1
    }
    return thread
  }

  private func wake(_ state: State) {
    guard state.waker >= 0 else { return }
    var byte: UInt8 = 0
    _ = write(state.waker, &byte, 1)  // a full pipe wakes the thread, too
  }

  // MARK: the thread

  private func run(_ woken: Int32) {
    var listener = MachineListener(waker: woken)
    while let (wanted, hook) = next(woken) {
      let due = listener.turn(wanted, hook.heard)
      state.withLock { $0.heard = listener.heard }
      listener.wait(milliseconds: due)
    }
  }

  /// After this nobody may use the waker.
  private func next(_ woken: Int32) -> (Set<MachineSignal>, Hook)? {
    state.withLock { state in
      if !state.wanted.isEmpty, let hook = state.hook { return (state.wanted, hook) }
      close(woken)
      close(state.waker)
      (state.waker, state.heard) = (-1, [])
      return nil
    }
  }
}
