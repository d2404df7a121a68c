import HTTPClient
import Platform

/// The thread that sends the wakes of one kind of device, and its connections. They stay open while nothing is sent.
final class SendingLane: Sendable {
  /// The closures that the lane calls, on its thread.
  struct Hooks: Sendable {
    /// Makes the request of an attempt; nil when that fails.
    let request: @Sendable (WakeQueue.Attempt) -> HTTPRequest?
    let outcome: @Sendable (Result<HTTPResponse, HTTPClientError>) -> WakeOutcome
    /// Called with the result of each attempt, and whether it was the last.
    let settled: @Sendable (Wake, WakeOutcome, Bool) -> Void
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
  }

  /// How a lane uses connections.
  enum Connections: Sendable {
    /// All wakes share one. When it does not answer, it is given up with all that was sent on it, which is sent again on a new one.
    case one
    /// Each host has a few of its own.
    case perHost(Int)

    fileprivate var most: Int {
      switch self {
      case .one: 1
      case .perHost(let count): count
      }
    }
  }

  private struct State {
    var queue: WakeQueue
    var figures = SendingFigures()
    var thread: SystemThread?
    var isStopping = false
    /// Used by other threads to wake ours.
    var transfers: HTTPTransferGroup<UInt64>
    /// When the connection last answered.
    var answeredAt: Int64 = .min
  }

  private let connections: Connections
  private let hooks: Hooks
  private let state: Locked<State>

  /// - Throws: `.noLibrary`, `.notPrepared`.
  init(_ limits: WakeQueue.Limits, _ connections: Connections, hooks: Hooks) throws(HTTPClientError) {
    (self.connections, self.hooks) = (connections, hooks)
    let transfers = try HTTPTransferGroup<UInt64>(connectionsPerHost: connections.most)
    state = Locked(State(queue: WakeQueue(limits), transfers: transfers))
  }

  /// Sends a wake. Does not wait.
  /// - Parameter delay: how much later, in milliseconds.
  func want(_ wake: Wake, after delay: Int64 = 0) {
    let hasRoom = state.withLock { state in
      guard !state.isStopping else { return true }
      guard state.queue.add(wake, now: Self.now, after: delay) else { return false }
      if state.thread == nil { state.thread = SystemThread.start { [self] in run() } }
      state.transfers.wake()
      return true
    }
    if !hasRoom { report(wake, .noRoom, isOver: true) }
  }

  /// Ends the thread. What was not sent is lost.
  func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      state.transfers.wake()
      defer { state.thread = nil }
      return state.thread
    }
    if let thread { thread.join() }
  }

  /// How many wakes wait or are being sent.
  var waiting: Int { state.withLock { $0.queue.count } }

  var figures: SendingFigures { state.withLock { $0.figures } }

  /// Notes what became of a wake, and tells the owner.
  func report(_ wake: Wake, _ outcome: WakeOutcome, isOver: Bool) {
    let now = hooks.now()
    state.withLock { $0.figures.settled(outcome, isOver: isOver, now: now) }
    hooks.settled(wake, outcome, isOver)
  }

  private static var now: Int64 { Clock.bootMilliseconds }
  /// The longest wait, in milliseconds: libcurl's own clock stops while the machine sleeps, so it is asked again.
  private static let longestPause: Int64 = 30_000

  // MARK: the thread

  private func run() {
    while let (attempts, pause, transfers) = nextStep() {
      for attempt in attempts { begin(attempt, transfers) }
      var isSilent = false
      for (id, result) in transfers.advance(waiting: pause) { isSilent = settle(id, result) || isSilent }
      if isSilent { renew() }
    }
  }

  /// Nil at the end.
  private func nextStep() -> ([WakeQueue.Attempt], Int32, HTTPTransferGroup<UInt64>)? {
    let step = state.withLock { state -> (due: (send: [WakeQueue.Attempt], late: [Wake]), Int32, HTTPTransferGroup<UInt64>)? in
      guard !state.isStopping else { return nil }
      let due = state.queue.takeDue(now: Self.now)
      let pause = state.queue.nextDue.map { $0 - Self.now } ?? Self.longestPause
      return (due, Int32(clamping: min(max(pause, 0), Self.longestPause)), state.transfers)
    }
    guard let (due, pause, transfers) = step else { return nil }
    for wake in due.late { report(wake, .tooLate, isOver: true) }
    return (due.send, pause, transfers)
  }

  private func begin(_ attempt: WakeQueue.Attempt, _ transfers: HTTPTransferGroup<UInt64>) {
    guard let request = hooks.request(attempt) else { return settle(attempt.id, .notMade) }
    do throws(HTTPClientError) { try transfers.begin(request, for: attempt.id) } catch { settle(attempt.id, .failed(error)) }
  }

  /// - Returns: whether the connection has been silent since the attempt began.
  private func settle(_ id: UInt64, _ result: Result<HTTPResponse, HTTPClientError>) -> Bool {
    let (now, seconds) = (Self.now, hooks.now())
    let isSilent = state.withLock { state -> Bool in
      switch result {
      case .success(let response):
        state.answeredAt = now
        state.figures.answered(isNew: response.connects > 0, now: seconds)
      case .failure(.timedOut): return state.queue.began(id).map { state.answeredAt < $0 } ?? false
      case .failure: state.figures.lostSession()
      }
      return false
    }
    settle(id, hooks.outcome(result))
    return isSilent
  }

  private func settle(_ id: UInt64, _ outcome: WakeOutcome) {
    let chance = Double.random(in: 0..<1)
    let settled = state.withLock { $0.queue.settle(id, outcome, now: Self.now, chance: chance) }
    if let settled { report(settled.wake, outcome, isOver: settled.isOver) }
  }

  /// Gives up a connection that does not answer. libcurl would go on using it: for libcurl it stands.
  private func renew() {
    guard case .one = connections, let fresh = try? HTTPTransferGroup<UInt64>(connectionsPerHost: 1) else { return }
    state.withLock { state in
      state.transfers = fresh
      state.figures.lostSession()
      state.queue.giveUpAttempts()
    }
  }
}
