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
    let resume: @Sendable (WakeRequest, [PushTarget]) -> Void
    /// Notes what was done.
    let settle: @Sendable (PostgresConnection) throws(RegistrationsError) -> Void
    let token: ProviderToken?
    let remark: @Sendable (String) -> Void
  }

  private struct State {
    var isStopping = false
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
    var isAway = false
  }

  /// Milliseconds from one beat to the next.
  static let interval: Int64 = 1_000
  /// Milliseconds for which changes are collected.
  static let collecting: Int64 = 200
  /// Milliseconds that the server may take for one. After that the connection is made again, before others count this proxy as dead.
  static let patience: Int64 = 3_000
  /// Beats from one pruning to the next.
  static let pruning = 60

  private let own: Int64
  private let database: PostgresConnection
  private let state = Locked(State())

  /// - Parameter database: a connection of its own.
  init(_ own: Int64, _ database: PostgresConnection) { (self.own, self.database) = (own, database) }

  /// Beats once, and starts the thread.
  func start(_ hooks: Hooks) {
    var memory = Memory(proxies: LiveProxies(own: own))
    beat(&memory, hooks)
    let thread = SystemThread.start { [self, memory] in run(memory, hooks) }
    state.withLock { $0.thread = thread }
  }

  /// Sends the next heartbeat soon, because this proxy changed keys or relays.
  func hurry() { state.change { $0.hasNews = true } }

  /// Ends the thread, and has other proxies take over.
  func stop() {
    let thread = state.change { state in
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
    try? database.leave(own)
  }

  private func run(_ memory: Memory, _ hooks: Hooks) {
    var memory = memory
    while state.wait(milliseconds: Int(Self.collecting), until: { $0.isStopping ? true : nil }) == nil {
      beat(&memory, hooks)
      _ = state.wait(milliseconds: Int(Self.interval - Self.collecting)) { state -> Bool? in
        defer { state.hasNews = false }
        return state.hasNews || state.isStopping ? true : nil
      }
    }
  }

  private func beat(_ memory: inout Memory, _ hooks: Hooks) {
    do throws(RegistrationsError) {
      let beat = try database.beat(own)
      let isReconnected = database.connectedAt != memory.connectedAt
      memory.connectedAt = database.connectedAt
      memory.proxies = hasStood ? beat.proxies : beat.proxies.joined(memory.proxies)
      hooks.found(memory.proxies, memory.revision != beat.revision || isReconnected)
      memory.revision = beat.revision
      if let token = hooks.token { try database.share(token, clock: beat.clock, now: Clock.seconds) }
      try hooks.settle(database)
      if hasStood { try resume(hooks) }
      memory.beats += 1
      if memory.beats % Self.pruning == 0 { try database.prune() }
      note(isAway: false, "The database is back.", &memory, hooks)
    } catch {
      // It may have been the connection alone. There is time for another one before others count this proxy as dead.
      if !memory.isAway { hurry() }
      note(isAway: true, "\(error.message) Signers cannot register until it is back, and wakes wait.", &memory, hooks)
    }
  }

  private func note(isAway: Bool, _ sentence: String, _ memory: inout Memory, _ hooks: Hooks) {
    guard memory.isAway != isAway else { return }
    memory.isAway = isAway
    hooks.away(isAway)
    hooks.remark(sentence)
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
