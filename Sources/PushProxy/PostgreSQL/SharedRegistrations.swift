package import Curve
package import Encodings
import Platform
import SecretMemory
package import Sockets

/// Registrations in a PostgreSQL database that several proxies share. Each wakes for a part of the keys: see `LiveProxies`.
///
/// Callable from any thread. While the database is away, changes are refused, what is known is looked after, and wakes wait.
package final class SharedRegistrations: RegistrationsStore {
  /// Wakes that wait for the database ask for it again after so many milliseconds.
  private static let pause = 100
  /// Milliseconds that the server may take to note a request.
  private static let claiming: Int64 = 5_000
  /// Milliseconds in which other proxies hear that this one is about to end, and subscribe for its keys.
  private static let handingOver: UInt32 = 4_000
  /// The time between two searches for pairs that nobody needs, in milliseconds.
  private static let dropping: Int64 = 60_000
  /// The most requests that are remembered as done while the database is away.
  private static let mostUnsettled = 100_000

  private struct State {
    var proxies: LiveProxies
    var snapshot = WatchedSnapshot()
    var counts: Registrations.Counts
    var isAway = false
    /// Whether the last reading failed.
    var isStale = false
    /// Whether the operator was told so.
    var isStaleSaid = false
    var isWaiting = true
    /// By how many seconds this machine's clock is ahead of the database's.
    var ahead: Int64 = 0
    /// Requests that woke nobody, because the database did not note them in time.
    var lost: Int64 = 0
    var unsettled: [Bytes32] = []
    /// When pairs that nobody needs may be removed again, in milliseconds.
    var nextDrop: Int64 = .min
  }

  struct Link { let database: PostgresConnection }

  /// This proxy's number, a new one at each start.
  let own: Int64
  package let place: String
  let writer: Locked<RegistrationsWriter>
  private let reader: Locked<Link>
  private let claimer: Locked<Link>
  private let state: Locked<State>
  private let server: PostgresServer
  private let heartbeat: Heartbeat
  private let aside = WorkQueue(threads: 1, most: 1)

  /// Connects, and makes the tables when there are none.
  package convenience init(_ address: PostgresAddress) throws(RegistrationsError) {
    try self.init(address, longestChange: PostgresConnection.writing)
  }

  /// - Parameter longestChange: milliseconds in which changes are made or refused; nil for any time.
  init(_ address: PostgresAddress, longestChange: Int64?) throws(RegistrationsError) {
    server = try PostgresServer(address)
    let first = PostgresConnection(server)
    try PostgresSchema.current.migrate(first)
    let counts = try first.counts()
    place = first.place
    let database = PostgresConnection(
      server, longest: longestChange ?? PostgresConnection.reading, longestTransaction: longestChange)
    own = SystemRandom.bytes(8).reduce(0) { $0 << 8 | Int64($1) }
    writer = Locked(RegistrationsWriter(database, .init(), counts, dropsAtOnce: false))
    reader = Locked(Link(database: PostgresConnection(server)))
    claimer = Locked(Link(database: PostgresConnection(server, longest: Self.claiming)))
    state = Locked(State(proxies: LiveProxies(own: own), counts: counts))
    heartbeat = try Heartbeat(own, PostgresConnection(server, longest: Heartbeat.patience))
  }

  package var counts: Registrations.Counts { state.withLock { $0.counts } }

  package var health: StoreHealth {
    state.withLock { state in
      var health = StoreHealth()
      (health.isReachable, health.proxies) = (!state.isAway && !state.isStale, state.proxies.others.count + 1)
      (health.ahead, health.lost) = (state.ahead, state.lost)
      return health
    }
  }
}

// MARK: changes

extension SharedRegistrations {
  package func apply(_ changes: [Registrations.Change]) -> [Registrations.Result] {
    // It would take an authorization that was used so long ago that the database has forgotten it.
    let isWithin = state.withLock { abs($0.ahead) <= PostgresConnection.spentSeconds }
    guard isWithin else { return changes.map { _ in Registrations.Result(refusal: Registrations.notStored) } }
    do { return try write { writer throws(RegistrationsError) in try writer.apply(changes) } } catch {
      return changes.map { _ in Registrations.Result(refusal: Registrations.notStored) }
    }
  }

  package func forget(_ target: PushTarget, before: Int64?) throws(RegistrationsError) -> Int {
    try write { writer throws(RegistrationsError) in try writer.forget(target, before: before) }
  }

  package func renew(_ target: PushTarget, of key: PublicKey, now: Int64) throws(RegistrationsError) {
    let ahead = state.withLock { $0.ahead }
    try write { writer throws(RegistrationsError) in
      try writer.renew(target, of: key, now: now - ahead, after: Retention.renewing)
    }
  }

  package func expire(now: Int64) throws(RegistrationsError) -> Int {
    let ahead = state.withLock { $0.ahead }
    return try write { writer throws(RegistrationsError) in try writer.expire(after: Retention.age, now: now - ahead) }
  }

  // The heartbeat does.
  package func tryAgain() {}

  package func secrets() throws(RegistrationsError) -> ProxySecrets {
    do throws(RegistrationsError) {
      return try writer.withLock { writer throws(RegistrationsError) in try writer.database.secrets() }
    } catch { throw error == .damaged ? .database(.damagedKey) : error }
  }

  private func write<Result>(
    _ body: (inout RegistrationsWriter) throws(RegistrationsError) -> Result
  ) throws(RegistrationsError) -> Result {
    try writer.withLock { writer throws(RegistrationsError) in
      writer.counts = counts  // others make changes, too
      let result = try body(&writer)
      state.withLock { $0.counts = writer.counts }
      if writer.isNew { heartbeat.hurry() }
      if writer.lacksRoom { dropUnusedPairs() }
      return result
    }
  }

  /// Removes unused pairs in the background, at most once a minute, after a request was refused because there was no room for its pairs.
  private func dropUnusedPairs() {
    let now = Clock.bootMilliseconds
    let isTime = state.withLock { state in
      defer { if state.nextDrop <= now { state.nextDrop = now + Self.dropping } }
      return state.nextDrop <= now
    }
    guard isTime else { return }
    _ = aside.add(0) { [weak self] in
      try? self?.write { writer throws(RegistrationsError) in try writer.dropUnusedPairs() }
    }
  }
}

// MARK: reads

extension SharedRegistrations {
  package func keys() throws(RegistrationsError) -> [PublicKey] {
    let proxies = state.withLock { $0.proxies }
    let read = try? reader.withLock { reader throws(RegistrationsError) in
      (try WatchedSnapshot(reader.database, of: proxies), try reader.database.counts())
    }
    return state.withLock { state in
      if let read { (state.snapshot, state.counts) = read }
      state.isStale = read == nil
      return state.snapshot.keys
    }
  }

  package func relays() throws(RegistrationsError) -> [WebSocketURL: [PublicKey]] { state.withLock { $0.snapshot.relays } }

  package func isPaired(_ client: PublicKey, with key: PublicKey) throws(RegistrationsError) -> Bool {
    state.withLock { $0.snapshot.isPaired(client, with: key) }
  }
}

// MARK: claims

extension SharedRegistrations {
  // One after the other: a database that goes away meanwhile holds up no wake of one that is noted.
  package func claim(_ requests: [WakeRequest], over: [Bytes32], now: Int64, wake: (WakeRequest, [PushTarget]) -> Void) {
    remember(over)
    for request in requests { if let targets = devices(claiming: request, now: now) { wake(request, targets) } }
  }

  /// - Returns: the devices to wake; nil for a request that was noted before, or could not be.
  private func devices(claiming request: WakeRequest, now: Int64) -> [PushTarget]? {
    let end = Clock.bootMilliseconds + min(request.expires - now, Wake.usefulSeconds) * 1_000
    var isRepeated = false
    repeat {
      do throws(RegistrationsError) {
        return try claimer.withLock { claimer throws(RegistrationsError) in try claim(request, claimer.database, isRepeated) }
      } catch { isRepeated = true }
    } while state.wait(milliseconds: Self.pause, until: { $0.isWaiting ? nil : true }) == nil && Clock.bootMilliseconds < end
    state.withLock { if $0.isWaiting { $0.lost += 1 } }
    return nil
  }

  private func claim(
    _ request: WakeRequest, _ database: PostgresConnection, _ isRepeated: Bool
  ) throws(RegistrationsError) -> [PushTarget]? {
    let targets = try settling { over throws(RegistrationsError) in try database.claim(request, over: over, for: own) }
    if let targets { return targets }
    guard isRepeated, try database.hasClaimed(request, for: own) else { return nil }
    return try database.targets(of: request.signer).map(\.target)
  }

  package func recentClaims(_ most: Int) throws(RegistrationsError) -> [Bytes32] {
    try reader.withLock { reader throws(RegistrationsError) in try reader.database.recentClaims(most) }
  }

  private func remember(_ over: [Bytes32]) {
    state.withLock { state in
      let room = max(0, Self.mostUnsettled - state.unsettled.count)
      state.unsettled += over.prefix(room)
    }
  }

  package func settle(_ requests: [Bytes32]) throws(RegistrationsError) {
    remember(requests)
    try claimer.withLock { claimer throws(RegistrationsError) in try settle(claimer.database) }
  }

  private func settle(_ database: PostgresConnection) throws(RegistrationsError) {
    try settling { over throws(RegistrationsError) in if !over.isEmpty { try database.settle(over) } }
  }

  /// Lends the requests that are over and not noted yet. They are remembered when `body` throws.
  private func settling<Result>(_ body: ([Bytes32]) throws(RegistrationsError) -> Result) throws(RegistrationsError) -> Result {
    let over = state.withLock { state in
      defer { state.unsettled = [] }
      return state.unsettled
    }
    do throws(RegistrationsError) { return try body(over) } catch {
      remember(over)
      throw error
    }
  }
}

// MARK: other proxies

extension SharedRegistrations {
  package func begin(_ hooks: RegistrationsHooks, now: Int64) {
    heartbeat.start(
      .init(
        found: { [weak self] in self?.found($0, isNew: $1, hooks) },
        away: { [weak self] isAway in self?.state.withLock { $0.isAway = isAway } },
        ahead: { [weak self] ahead in self?.state.withLock { $0.ahead = ahead } }, resume: hooks.resume,
        settle: { [weak self] database throws(RegistrationsError) in
          self?.remember(hooks.takeOver())
          try self?.settle(database)
        }, token: hooks.token, isHearing: hooks.isHearing, remark: hooks.remark))
  }

  private func found(_ proxies: LiveProxies, isNew: Bool, _ hooks: RegistrationsHooks) {
    let (isChanged, isNewlyStale) = state.withLock { state in
      defer { (state.proxies, state.isStaleSaid) = (proxies, state.isStale) }
      return (isNew || state.isStale || state.proxies != proxies, state.isStale && !state.isStaleSaid)
    }
    if isChanged { hooks.changed() }
    if isNewlyStale { hooks.remark(.trouble(Self.stale)) }
  }

  private static let stale = """
    The registrations could not be read from the database. The proxy goes on with those that it knows, and tries again. Look for a lock on the \
    tables in holdfast_push.
    """

  package func handOver() {
    heartbeat.retire()
    let others = state.withLock { $0.isAway ? 0 : $0.proxies.others.count }
    // Of two or three proxies that stay one looks after each key anyway, or none.
    if others >= LiveProxies.watchersOfKey { usleep(1_000 * Self.handingOver) }
  }

  package func stopWaiting() {
    server.end()
    state.change { $0.isWaiting = false }
  }

  package func end() {
    aside.stop()
    heartbeat.stop()
  }
}
