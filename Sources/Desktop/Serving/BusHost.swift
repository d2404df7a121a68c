import Platform

/// Offers objects on the session bus, on a thread of its own, and calls others without waiting.
package final class BusHost: Sendable {
  /// What a host is told. Everything is called on the host's thread.
  package struct Hooks: Sendable {
    let connected: @Sendable () -> Void
    let signal: @Sendable (BusSignal) -> Void
    let disconnected: @Sendable () -> Void

    /// - Parameters:
    ///   - connected: there is a new connection. It knows nothing of an earlier one.
    ///   - signal: a signal came. Any program can send one directly, so compare its sender.
    ///   - disconnected: the connection has ended. Who called before gets no answer any more.
    package init(
      connected: @escaping @Sendable () -> Void, signal: @escaping @Sendable (BusSignal) -> Void,
      disconnected: @escaping @Sendable () -> Void
    ) { (self.connected, self.signal, self.disconnected) = (connected, signal, disconnected) }
  }

  /// What the thread is to do.
  enum Step: Sendable {
    case answer(UInt64, BusAnswer)
    case forget(sender: String)
    case call(SessionBus.Party, String, [BusValue], @Sendable (BusAnswer) -> Void)
    case signal(path: String, interface: String, member: String, [BusValue])
  }

  private struct State {
    var steps: [Step] = []
    var thread: SystemThread?
    /// A write to it wakes the thread. Negative while none runs.
    var waker: Int32 = -1
    var isStopping = false
  }

  private let state = Locked(State())
  let name: String?
  let objects: [BusObject]
  let hooks: Hooks

  /// - Parameter name: the name that the host wants on the bus. While another program has it, the host waits for it.
  package init(name: String?, objects: [BusObject], hooks: Hooks) {
    (self.name, self.objects, self.hooks) = (name, objects, hooks)
  }

  /// Whether there may be a session bus. Without one, do not start: only a started host needs memory.
  package static var mayBeOfUse: Bool { SessionBus.mayBeThere(.session) }

  /// Connects, and again when a connection ends. Does not wait.
  package func start() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(bitPattern: kind), 0, &ends) == 0 else { return }
    let (woken, waker) = (ends[0], ends[1])
    state.withLock { state in
      state.waker = waker
      state.thread = SystemThread.start { [self] in run(woken) }
      if state.thread == nil {
        state.waker = -1
        close(woken)
        close(waker)
      }
    }
  }

  /// Leaves the bus and ends the thread.
  package func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      wake(state)
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  /// Answers a call, once.
  package func answer(_ call: BusCall, _ answer: BusAnswer) { add(.answer(call.number, answer)) }

  /// Forgets the calls of a connection that does not wait for answers any more.
  package func forget(sender: String) { add(.forget(sender: sender)) }

  /// Calls a method of the bus itself.
  /// - Parameter then: called on the host's thread; not after the connection has ended.
  package func askBus(_ member: String, _ values: [BusValue], _ then: @escaping @Sendable (BusAnswer) -> Void = { _ in }) {
    ask(.bus, member, values, then)
  }

  /// Calls a method of somebody on the bus, and does not wait.
  func ask(_ party: SessionBus.Party, _ member: String, _ values: [BusValue], _ then: @escaping @Sendable (BusAnswer) -> Void) {
    add(.call(party, member, values, then))
  }

  /// Tells everybody who listens that properties of an object have changed.
  package func tellChanged(_ path: String, _ interface: String, _ values: [(String, BusValue)]) {
    tell(path, BusInterface.properties, "PropertiesChanged", [.text(interface), .dictionary(values), .array(of: "s", [])])
  }

  /// Sends a signal.
  package func tell(_ path: String, _ interface: String, _ member: String, _ values: [BusValue] = []) {
    add(.signal(path: path, interface: interface, member: member, values))
  }

  private func add(_ step: Step) {
    state.withLock { state in
      guard state.waker >= 0, !state.isStopping else { return }
      state.steps.append(step)
      if state.steps.count == 1 { wake(state) }
    }
  }

  private func wake(_ state: State) {
    guard state.waker >= 0 else { return }
    var byte: UInt8 = 0
    _ = write(state.waker, &byte, 1)  // a full pipe wakes the thread, too
  }

  // MARK: the thread

  private func run(_ woken: Int32) {
    var link = BusLink(self, waker: woken)
    while !isOver() {
      let due = link.turn { [self] in takeSteps() }
      link.wait(milliseconds: due)
    }
    link.end()
    state.withLock { state in
      close(woken)
      close(state.waker)
      state.waker = -1
    }
  }

  private func isOver() -> Bool { state.withLock { $0.isStopping } }

  private func takeSteps() -> [Step] {
    state.withLock { state in
      defer { state.steps = [] }
      return state.steps
    }
  }
}
