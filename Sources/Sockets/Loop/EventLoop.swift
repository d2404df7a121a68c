import CWebSockets
import Platform
import SecretMemory

/// One thread that owns every socket: WebSocket clients and servers, HTTP, Unix sockets, timers.
///
/// Handlers and jobs run on that thread and must not block it. Every method may be called from any thread unless it says otherwise.
public final class EventLoop: @unchecked Sendable {  // Sendable: `shared` has a lock; all other state belongs to the loop thread
  struct Shared {
    var jobs: [@Sendable () -> Void] = []
    var unsent: [WebSocket] = []
    var wakePending = false
    var isOver = false
    var loopThread: SystemThread?
  }
  enum Phase { case made, running, over }

  let shared = Locked(Shared())
  private let phase = Locked(Phase.made)
  private var thread: SystemThread?

  // From here on: used on the loop thread only.
  let context: OpaquePointer
  var sessions: [ObjectIdentifier: Session] = [:]
  var listeners: [ObjectIdentifier: Listener] = [:]
  let virtualHosts = VirtualHosts()
  /// Outgoing connections. What their servers leave incomplete is limited, too.
  let outgoing = Admission()
  var scratch = Scratch()
  private var timers = TimerQueue()
  private let alarm: Alarm
  private var isStopping = false
  private var mustExit = false
  let resolver = Resolver()
  /// Something secret was handled in this turn of the loop.
  var touchedSecrets = false

  /// Makes the loop. Nothing runs before `start()`.
  /// - Throws: `outOfResources`.
  public init() throws(SocketError) {
    SocketLog.silence()
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_NO_LWS_SYSTEM_STATES)
    info.gid = -1
    info.uid = -1
    info.fd_limit_per_thread = UInt32(clamping: Self.descriptorLimit)
    info.pt_serv_buf_size = 16 * 1024
    info.max_http_header_data = UInt16(SocketLimits.headerBytes)
    guard let context = lws_create_context(&info) else { throw .outOfResources }
    self.context = context
    alarm = Alarm(context)
  }

  deinit {
    if phase.withLock({ $0 }) == .made { lws_context_destroy(context) }
  }

  /// Starts the thread. Further calls have no effect.
  public func start() {
    let starts = phase.withLock { phase in
      defer { if phase == .made { phase = .running } }
      return phase == .made
    }
    guard starts else { return }
    thread = SystemThread.start(stackBytes: SystemThread.largeStack) { [self] in run() }
  }

  /// Stops the loop: accepts no new connections, sends queued writes for at most `milliseconds`, then closes everything and ends
  /// the thread.
  ///
  /// Waits for the end, unless called on the loop thread. No handler is called after that.
  public func stop(within milliseconds: Int = 2_000) {
    let wasRunning = phase.withLock { phase in
      defer { if phase == .running { phase = .over } }
      return phase == .running
    }
    guard wasRunning else { return }
    post { [self] in drain(within: milliseconds) }
    guard !isLoopThread, let thread else { return }
    thread.join()
  }

  /// Runs `job` on the loop thread, soon and in the order of posting. The job is dropped if the loop has stopped.
  public func post(_ job: @escaping @Sendable () -> Void) {
    shared.withLock { shared in
      guard !shared.isOver else { return }
      shared.jobs.append(job)
      wake(&shared)
    }
  }

  /// Waits until the loop has run what was posted before, for at most the given milliseconds. Not callable on the loop thread.
  public func waitForJobs(milliseconds: Int) {
    let isReached = Locked(false)
    post { isReached.change { $0 = true } }
    _ = isReached.wait(milliseconds: milliseconds) { $0 ? true : nil }
  }

  /// Runs `job` on the loop thread after `milliseconds` (monotonic clock).
  @discardableResult
  public func after(milliseconds: Int, _ job: @escaping @Sendable () -> Void) -> Timer {
    let wait = Int64(clamping: max(0, milliseconds)).multipliedReportingOverflow(by: 1_000)
    let now = Clock.monotonicMicroseconds
    let timer = Timer(deadline: wait.overflow || wait.partialValue > Int64.max - now ? .max : now + wait.partialValue, job: job)
    post { [self] in timers.insert(timer) }
    return timer
  }

  /// True on the loop's own thread.
  public var isLoopThread: Bool {
    shared.withLock { $0.loopThread?.isCurrent ?? false }
  }

  /// Marks a connection that has something to send, and wakes the loop if needed.
  func hasUnsent(_ webSocket: WebSocket) {
    shared.withLock { shared in
      guard !shared.isOver else { return }
      shared.unsent.append(webSocket)
      wake(&shared)
    }
  }

  /// `lws_cancel_service` is the only call that libwebsockets allows from other threads. The lock prevents it on a destroyed
  /// context.
  private func wake(_ shared: inout Shared) {
    guard !shared.wakePending, !(shared.loopThread?.isCurrent ?? false) else { return }
    shared.wakePending = true
    lws_cancel_service(context)
  }

  /// Descriptors that the loop can hold.
  static var descriptorLimit: Int {
    let process = sysconf(Int32(_SC_OPEN_MAX))
    return process > 0 ? min(process, SocketLimits.descriptors) : SocketLimits.descriptors
  }
}

// MARK: - The loop thread

extension EventLoop {
  private func run() {
    shared.withLock { $0.loopThread = .current }
    while !mustExit {
      setAlarm()
      lws_service(context, 0)
      runDueTimers()
      runJobs()
      if touchedSecrets {
        touchedSecrets = false
        UsedStack.wipe()
      }
    }
    finish()
  }

  private func setAlarm() {
    guard let deadline = timers.nextDeadline else { return }
    let wait = max(1, deadline - Clock.monotonicMicroseconds + 500)
    alarm.set(microseconds: wait)
  }

  private func runDueTimers() {
    guard let next = timers.nextDeadline else { return }
    let now = Clock.monotonicMicroseconds
    guard next <= now else { return }
    for timer in timers.due(at: now) { timer.fire() }
  }

  /// Jobs may post jobs. After a few rounds the sockets are served again.
  private func runJobs() {
    for _ in 0..<16 {
      let (jobs, unsent) = shared.withLock { shared in
        defer {
          shared.jobs.removeAll(keepingCapacity: shared.jobs.capacity <= 1_024)
          shared.unsent.removeAll(keepingCapacity: shared.unsent.capacity <= 1_024)
          shared.wakePending = false
        }
        return (shared.jobs, shared.unsent)
      }
      if jobs.isEmpty, unsent.isEmpty { return }
      for job in jobs { job() }
      for webSocket in unsent { webSocket.flush() }
    }
    lws_cancel_service(context)
  }

  private func drain(within milliseconds: Int) {
    guard !isStopping else { return }
    isStopping = true
    for listener in listeners.values { listener.close() }
    for session in sessions.values { session.drain() }
    after(milliseconds: milliseconds) { [self] in mustExit = true }
    exitWhenEmpty()
    lws_cancel_service(context)  // connections closed here end in the next turn, not after libwebsockets' own second
  }

  /// Called when a session has ended. A stopping loop ends with the last one.
  func exitWhenEmpty() {
    if isStopping, sessions.isEmpty { mustExit = true }
  }

  var refusesNewSessions: Bool { isStopping }

  private func finish() {
    runJobs()
    for session in sessions.values { session.end(.stopped) }
    shared.withLock { $0.isOver = true }
    resolver.stop()
    alarm.cancel()
    lws_context_destroy(context)
    sessions = [:]
    listeners = [:]
    virtualHosts.releaseMemory()
    shared.withLock { shared in
      shared.jobs = []
      shared.unsent = []
    }
  }
}
