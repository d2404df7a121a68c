internal import CCurl
internal import Platform
internal import Transfers

/// Carries messages to push services. Its thread, and what libcurl holds, exist only while something is to be sent.
public final class PushCourier: Sendable {
  /// How messages are sent.
  public struct Options: Sendable {
    /// Whether endpoints inside private networks, and on other ports than 443, are allowed.
    public var allowsPrivateAddresses = false
    /// Whether an address (16 bytes, IPv4 as `::ffff:a.b.c.d`) is this machine's or on a network of its own, and so as private as the
    /// others. Asked in the moment of connecting.
    public var isOwn: @Sendable (_ address: [UInt8]) -> Bool = { _ in false }
    /// A file of certificates (PEM) to trust instead of the system's.
    public var certificates: String?
    /// How long a connection may take, in milliseconds.
    public var connectMilliseconds = 5_000
    /// How long the whole may take, in milliseconds: an answer that drips is cut off then.
    public var totalMilliseconds = 10_000

    /// The usual ones.
    public init() {}
  }

  /// Whom the courier asks and tells, on its own thread.
  public struct Hooks: Sendable {
    let letter: @Sendable (String, PushNotice) -> PushLetter?
    let settled: @Sendable (String, PushNotice, PushOutcome, Bool) -> Void

    /// - Parameters:
    ///   - letter: makes the message for a subscription at the moment it is sent; nil when there is nothing to say any more.
    ///   - settled: hears what became of each attempt, and whether it was the last.
    public init(
      letter: @escaping @Sendable (String, PushNotice) -> PushLetter?,
      settled: @escaping @Sendable (String, PushNotice, PushOutcome, Bool) -> Void
    ) { (self.letter, self.settled) = (letter, settled) }
  }

  private struct State {
    var queue = PushQueue()
    /// The thread that runs, or has run and was not joined yet.
    var thread: SystemThread?
    var isRunning = false
    var isStopping = false
    /// For waking the thread: only while it is there.
    nonisolated(unsafe) var multi: UnsafeMutableRawPointer?  // used under the lock only
  }

  private let options: Options
  private let hooks: Hooks
  private let state = Locked(State())

  /// Nothing runs before the first message.
  public init(_ options: Options, hooks: Hooks) { (self.options, self.hooks) = (options, hooks) }

  /// Asks for a message to these subscriptions. Does not wait.
  public func want(_ notice: PushNotice, for ids: [String]) {
    guard !ids.isEmpty else { return }
    state.withLock { state in
      guard !state.isStopping else { return }
      for id in ids { state.queue.want(notice, for: id, now: Self.now) }
      wakeOrStart(&state)
    }
  }

  /// The owner has answered all.
  public func nothingWaits() { state.withLock { $0.queue.nothingWaits() } }

  /// Forgets a subscription.
  public func drop(_ id: String) { state.withLock { $0.queue.drop(id) } }

  /// Ends the thread; what was not sent is lost.
  public func stop() {
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
    // It has said that it is over and touches nothing of ours any more.
    if let last = state.thread { last.join() }
    state.isRunning = true
    state.thread = SystemThread.start { [self] in run() }
    if state.thread == nil { state.isRunning = false }
  }

  private func wake(_ state: State) {
    if let multi = state.multi, let library = CurlLibrary.shared { _ = library.functions.multi_wakeup(multi) }
  }

  private static var now: Int64 { Clock.bootMilliseconds }

  // MARK: the thread

  private func run() {
    guard let library = CurlLibrary.shared, let multi = library.functions.multi_init() else { return giveUp() }
    state.withLock { $0.multi = multi }
    var underWay: [UnsafeMutableRawPointer: Transfer] = [:]
    while let step = nextStep(isIdle: underWay.isEmpty) {
      for key in step.due {
        guard let transfer = begin(key, library) else { continue }
        _ = library.functions.multi_add_handle(multi, transfer.easy)
        underWay[transfer.easy] = transfer
      }
      var running: Int32 = 0
      _ = library.functions.multi_perform(multi, &running)
      let wereOver = settleFinished(multi, library, &underWay)
      if !wereOver { _ = library.functions.multi_poll(multi, nil, 0, step.pause, nil) }
    }
    for transfer in underWay.values { _ = library.functions.multi_remove_handle(multi, transfer.easy) }
    underWay = [:]
    _ = library.functions.multi_cleanup(multi)
  }

  private struct Step {
    let due: [PushQueue.Key]
    /// How long to wait at most, in milliseconds.
    let pause: Int32
  }

  /// Nil at the end: nothing is to be sent any more, or the courier is to stop.
  private func nextStep(isIdle: Bool) -> Step? {
    state.withLock { state in
      let due = state.isStopping ? [] : state.queue.takeDue(now: Self.now)
      guard !state.isStopping, !(isIdle && due.isEmpty && state.queue.isEmpty) else {
        (state.multi, state.isRunning) = (nil, false)
        return nil
      }
      let pause = state.queue.nextDue.map { $0 - Self.now } ?? Self.longestPause
      return Step(due: due, pause: Int32(clamping: min(max(pause, 0), Self.longestPause)))
    }
  }

  /// libcurl's own clock stands still while the machine sleeps, so that it is asked again, in milliseconds.
  private static let longestPause: Int64 = 30_000

  private func begin(_ key: PushQueue.Key, _ library: CurlLibrary) -> Transfer? {
    guard let letter = hooks.letter(key.id, key.notice) else {
      state.withLock { $0.queue.drop(key) }
      return nil
    }
    guard let transfer = Transfer(key, letter, library, options) else {
      settle(key, .failed(.internalFault))
      return nil
    }
    return transfer
  }

  private func settleFinished(
    _ multi: UnsafeMutableRawPointer, _ library: CurlLibrary, _ underWay: inout [UnsafeMutableRawPointer: Transfer]
  ) -> Bool {
    var (any, result) = (false, CURLE_OK)
    while let easy = withUnsafePointer(to: library.functions, { holdfast_curl_finished($0, multi, &result) }) {
      any = true
      guard let transfer = underWay.removeValue(forKey: easy) else { continue }
      let outcome = transfer.outcome(result)
      _ = library.functions.multi_remove_handle(multi, easy)
      settle(transfer.key, outcome)
    }
    return any
  }

  private func settle(_ key: PushQueue.Key, _ outcome: PushOutcome) {
    let isOver = state.withLock { $0.queue.settle(key, outcome, now: Self.now) }
    hooks.settled(key.id, key.notice, outcome, isOver)
  }

  /// Without libcurl every message fails at once.
  private func giveUp() {
    while let step = nextStep(isIdle: true) {
      for key in step.due { settle(key, .failed(.noLibrary)) }
      if step.due.isEmpty { usleep(UInt32(clamping: min(Int(step.pause), 100) * 1000)) }
    }
  }
}
