import APNs
import Platform

/// The thread that says every second that this proxy lives, and learns which others do, what they changed, and what dead ones left.
final class Heartbeat: Sendable {
  /// What it tells its owner, on its thread.
  struct Hooks: Sendable {
    /// The live proxies, and whether keys or relays may have become others.
    let found: @Sendable (LiveProxies, _ isNew: Bool) -> Void
    /// The database went, or came back.
    let away: @Sendable (Bool) -> Void
    /// By how many seconds this machine's clock is ahead of the database's.
    let ahead: @Sendable (Int64) -> Void
    let resume: @Sendable (WakeRequest, [PushTarget]) -> Void
    /// Notes what was done.
    let settle: @Sendable (PostgresConnection) throws(RegistrationsError) -> Void
    let token: ProviderToken?
    /// Whether there is a connection to one of the proxy's own relays.
    let isHearing: @Sendable () -> Bool
    let remark: @Sendable (Remark) -> Void
  }

  private struct State {
    var isStopping = false
    /// Whether others are to look after this proxy's keys, because it is about to end.
    var isRetiring = false
    /// Whether this proxy changed something since the last beat.
    var hasNews = false
    var thread: SystemThread?
  }

  /// What the thread remembers from one beat to the next.
  private struct Memory {
    var revision: Int64?
    var proxies: LiveProxies
    var connectedAt: Int64?
    var beats = 0
    /// When the last sign of life was answered, in milliseconds of a clock that never goes back.
    var beatAt: Int64 = .min
    /// By how many seconds this machine's clock is ahead of the database's.
    var ahead: Int64 = 0
    var version: Int64 = 0
    /// What the operator was last told of the database and of the clock. Nil while all is well.
    var fault: String?
    var clockFault: String?
  }

  /// Milliseconds from one beat to the next.
  static let interval: Int64 = 1_000
  /// Milliseconds for which changes are collected.
  static let collecting: Int64 = 200
  /// Milliseconds that the server may take for one. After that the connection is made again, before others count this proxy as dead.
  static let patience: Int64 = 3_000
  /// Beats from one pruning to the next.
  static let pruning = 10
  /// How far this machine's clock may be from the database's, in seconds, before it recognises no request: signers date theirs by the time.
  static let mostApart = RequestScreen.farthestAhead

  private let own: Int64
  private let database: PostgresConnection
  private let state = Locked(State())
  private let bell: Bell

  /// - Parameter database: a connection of its own.
  init(_ own: Int64, _ database: PostgresConnection) throws(RegistrationsError) {
    (self.own, self.database, bell) = (own, database, try Bell())
  }

  /// Beats once, and starts the thread.
  func start(_ hooks: Hooks) {
    var memory = Memory(proxies: LiveProxies(own: own))
    beat(&memory, hooks)
    let thread = SystemThread.start { [self, memory] in run(memory, hooks) }
    state.withLock { $0.thread = thread }
  }

  /// Sends the next heartbeat soon, because this proxy changed keys or relays.
  func hurry() {
    state.change { $0.hasNews = true }
    bell.ring()
  }

  /// Has other proxies look after this one's keys, too. It stays alive: what it does is not taken over.
  func retire() {
    state.change { $0.isRetiring = true }
    hurry()
  }

  /// Ends the thread, and has other proxies take over.
  func stop() {
    let thread = state.change { state in
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    bell.ring()
    thread?.join()
    try? database.leave(own)
  }

  private func run(_ memory: Memory, _ hooks: Hooks) {
    var memory = memory
    while state.wait(milliseconds: Int(Self.collecting), until: { $0.isStopping ? true : nil }) == nil {
      beat(&memory, hooks)
      rest()
    }
  }

  /// Waits for the next beat: a second, or less when this proxy or another one changed something.
  private func rest() {
    let end = Clock.bootMilliseconds + Self.interval - Self.collecting
    while !hasReason, case let left = end - Clock.bootMilliseconds, left > 0 {
      bell.wait(milliseconds: left, or: database.descriptor)
    }
  }

  private var hasReason: Bool {
    let isNotified = database.takeNotices()
    return state.withLock { state in
      defer { state.hasNews = false }
      return state.hasNews || state.isStopping || isNotified
    }
  }

  private func beat(_ memory: inout Memory, _ hooks: Hooks) {
    do throws(RegistrationsError) {
      try sayAlive(&memory, hooks)
      if let token = hooks.token { try database.share(token, clock: Clock.seconds - memory.ahead, now: Clock.seconds) }
      try stayAlive(&memory, hooks)
      try hooks.settle(database)
      try stayAlive(&memory, hooks)
      if hasStood, try database.hasClaimsOfDead(for: own) {
        try stayAlive(&memory, hooks)
        try resume(hooks)
      }
      memory.beats += 1
      if memory.beats % Self.pruning == 0 {
        try stayAlive(&memory, hooks)
        try database.prune()
      }
      try PostgresSchema.current.check(memory.version)
      note(nil, &memory, hooks)
    } catch {
      // It may have been the connection alone. There is time for another one before others count this proxy as dead.
      if memory.fault == nil { hurry() }
      if case .database(.newerVersion) = error { return note(error.message, &memory, hooks) }
      note("\(error.message) Signers cannot register until it is back, and wakes wait.", &memory, hooks)
    }
  }

  private func sayAlive(_ memory: inout Memory, _ hooks: Hooks) throws(RegistrationsError) {
    let isReliable = memory.clockFault == nil && hooks.isHearing() && !state.withLock { $0.isRetiring }
    let beat = try database.beat(own, isReliable: isReliable)
    memory.beatAt = Clock.bootMilliseconds
    let isReconnected = database.connectedAt != memory.connectedAt
    memory.connectedAt = database.connectedAt
    if isReconnected { try database.listen() }
    let others = memory.proxies.others
    memory.proxies = hasStood ? beat.proxies : beat.proxies.joined(memory.proxies)
    if let line = LiveProxies.news(of: memory.proxies.others, after: others) {
      hooks.remark(others.isSubset(of: memory.proxies.others) ? .news(line) : .trouble(line))
    }
    hooks.found(memory.proxies, memory.revision != beat.revision || isReconnected)
    (memory.revision, memory.version) = (beat.revision, beat.version)
    compare(beat.clock, &memory, hooks)
  }

  /// Says it again while the server is slow with something else.
  private func stayAlive(_ memory: inout Memory, _ hooks: Hooks) throws(RegistrationsError) {
    if Clock.bootMilliseconds - memory.beatAt >= Self.interval { try sayAlive(&memory, hooks) }
  }

  private func compare(_ clock: Int64, _ memory: inout Memory, _ hooks: Hooks) {
    let (ahead, isTooFar) = Clock.seconds.subtractingReportingOverflow(clock)
    memory.ahead = isTooFar ? 0 : min(max(ahead, -Self.farthest), Self.farthest)
    hooks.ahead(memory.ahead)
    let isWrong = !(-Self.mostApart...Self.mostApart).contains(memory.ahead)
    guard isWrong != (memory.clockFault != nil) else { return }
    memory.clockFault = isWrong ? Self.wrongClock(memory.ahead) : nil
    hooks.remark(memory.clockFault.map(Remark.trouble) ?? .news("This machine's clock and the database's agree again."))
  }

  /// A server may say that it is any time.
  private static let farthest: Int64 = 1 << 40

  private static func wrongClock(_ ahead: Int64) -> String {
    """
    This machine's clock is \(abs(ahead)) seconds \(ahead < 0 ? "behind" : "ahead of") the database's. Look which of the two is wrong, and set it: \
    a proxy with a wrong clock takes requests for too old or too new, and wakes nobody. Others look after its keys meanwhile.
    """
  }

  /// - Parameter fault: nil while the database does what it is asked.
  private func note(_ fault: String?, _ memory: inout Memory, _ hooks: Hooks) {
    guard memory.fault != fault else { return }
    memory.fault = fault
    hooks.away(fault != nil)
    hooks.remark(fault.map(Remark.trouble) ?? .news("The database is back."))
  }

  /// A server that was away has old signs of life of everybody: nobody counts as dead before all had the time to come back.
  private var hasStood: Bool {
    database.connectedAt.map { Clock.bootMilliseconds - $0 > LiveProxies.leaseSeconds * 1_000 } ?? false
  }

  private func resume(_ hooks: Hooks) throws(RegistrationsError) {
    var taken: [(request: WakeRequest, targets: [PushTarget])] = []
    // If the connection breaks before the commit, the server rolls back and the claims are taken again later. If only the answer to the
    // commit is lost, they are already in `taken`, so their wakes are sent.
    defer { for one in taken { hooks.resume(one.request, one.targets) } }
    try database.transaction { () throws(RegistrationsError) in
      taken = try database.takeClaimsOfDead(for: own, now: Clock.seconds)
    }
  }
}
