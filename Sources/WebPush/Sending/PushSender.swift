import HTTPClient
import Platform

/// Sends messages to push services. Its thread and libcurl's state exist only while there is something to send.
package final class PushSender: Sendable {
  /// How messages are sent.
  package struct Options: Sendable {
    /// Whether endpoints inside private networks, and on other ports than 443, are allowed.
    package var allowsPrivateAddresses = false
    /// Whether an address (16 bytes, IPv4 as `::ffff:a.b.c.d`) belongs to this machine or its networks, and so counts as private.
    /// Asked at the moment of connecting.
    package var isOwn: @Sendable (_ address: [UInt8]) -> Bool = { _ in false }
    /// A PEM file of certificates to trust instead of the system's.
    package var certificates: String?
    /// How long connecting may take, in milliseconds.
    package var connectMilliseconds = 5_000
    /// How long the whole request may take, in milliseconds. It also ends a response that arrives drop by drop.
    package var totalMilliseconds = 10_000

    /// The default options.
    package init() {}
  }

  /// The closures that the sender calls, on its own thread.
  package struct Hooks: Sendable {
    let message: @Sendable (String, PushNotice) -> PushMessage?
    let settled: @Sendable (String, PushNotice, PushOutcome, Bool) -> Void

    /// - Parameters:
    ///   - message: makes the message for a subscription when it is sent; nil when it is no longer needed.
    ///   - settled: called with the result of each attempt, and whether it was the last.
    package init(
      message: @escaping @Sendable (String, PushNotice) -> PushMessage?,
      settled: @escaping @Sendable (String, PushNotice, PushOutcome, Bool) -> Void
    ) { (self.message, self.settled) = (message, settled) }
  }

  private struct State {
    var queue = PushQueue()
    /// The thread that runs, or that has ended and was not joined yet.
    var thread: SystemThread?
    var isRunning = false
    var isStopping = false
    /// Used to wake the thread; set only while the thread exists.
    var transfers: HTTPTransferGroup<PushQueue.Key>?
  }

  private let options: Options
  private let hooks: Hooks
  private let state = Locked(State())

  /// Nothing runs before the first message.
  package init(_ options: Options, hooks: Hooks) { (self.options, self.hooks) = (options, hooks) }

  /// Requests a message to these subscriptions. Does not wait.
  package func want(_ notice: PushNotice, for ids: [String]) {
    guard !ids.isEmpty else { return }
    state.withLock { state in
      guard !state.isStopping else { return }
      for id in ids { state.queue.want(notice, for: id, now: Self.now) }
      wakeOrStart(&state)
    }
  }

  /// Notes that the owner has answered all requests.
  package func nothingWaits() { state.withLock { $0.queue.nothingWaits() } }

  /// Drops a subscription.
  package func drop(_ id: String) { state.withLock { $0.queue.drop(id) } }

  /// Ends the thread. Unsent messages are lost.
  package func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      wake(state)
      defer { state.thread = nil }
      return state.thread
    }
    if let thread { thread.join() }
  }

  private func wakeOrStart(_ state: inout State) {
    guard !state.isRunning else { return wake(state) }
    // The thread has marked itself as finished and no longer uses our state.
    if let last = state.thread { last.join() }
    state.isRunning = true
    state.thread = SystemThread.start { [self] in run() }
    if state.thread == nil { state.isRunning = false }
  }

  private func wake(_ state: State) { state.transfers?.wake() }

  private static var now: Int64 { Clock.bootMilliseconds }

  // MARK: the thread

  private func run() {
    let transfers: HTTPTransferGroup<PushQueue.Key>
    do throws(HTTPClientError) { transfers = try HTTPTransferGroup() } catch { return giveUp(error) }
    state.withLock { $0.transfers = transfers }
    while let step = nextStep(isIdle: transfers.isEmpty) {
      for key in step.due { begin(key, transfers) }
      for (key, result) in transfers.advance(waiting: step.pause) { settle(key, PushOutcome(result)) }
    }
  }

  private struct Step {
    let due: [PushQueue.Key]
    /// The longest time to wait, in milliseconds.
    let pause: Int32
  }

  /// Nil at the end: nothing is left to send, or the sender must stop.
  private func nextStep(isIdle: Bool) -> Step? {
    state.withLock { state in
      let due = state.isStopping ? [] : state.queue.takeDue(now: Self.now)
      guard !state.isStopping, !(isIdle && due.isEmpty && state.queue.isEmpty) else {
        (state.transfers, state.isRunning) = (nil, false)
        return nil
      }
      let pause = state.queue.nextDue.map { $0 - Self.now } ?? Self.longestPause
      return Step(due: due, pause: Int32(clamping: min(max(pause, 0), Self.longestPause)))
    }
  }

  /// The longest wait, in milliseconds: libcurl's own clock stops while the machine sleeps, so it is asked again.
  private static let longestPause: Int64 = 30_000

  private func begin(_ key: PushQueue.Key, _ transfers: HTTPTransferGroup<PushQueue.Key>) {
    guard let message = hooks.message(key.id, key.notice) else { return state.withLock { $0.queue.drop(key) } }
    do throws(HTTPClientError) { try transfers.begin(message.request(options), for: key) } catch { settle(key, .failed(error)) }
  }

  private func settle(_ key: PushQueue.Key, _ outcome: PushOutcome) {
    let isOver = state.withLock { $0.queue.settle(key, outcome, now: Self.now) }
    hooks.settled(key.id, key.notice, outcome, isOver)
  }

  /// Fails every message at once when libcurl is missing.
  private func giveUp(_ error: HTTPClientError) {
    while let step = nextStep(isIdle: true) {
      for key in step.due { settle(key, .failed(error)) }
      if step.due.isEmpty { usleep(UInt32(clamping: min(Int(step.pause), 100) * 1000)) }
    }
  }
}
