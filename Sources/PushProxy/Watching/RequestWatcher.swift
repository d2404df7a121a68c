import Curve
package import Encodings
import Nostr
import Platform
package import Relays
package import Sockets

/// Looks for requests (kind 24133) to registered signers at relays, and tells the owner of each genuine one, once.
///
/// The proxy's own relays are asked for all keys; a relay that a pair named, for the keys that named it. What costs nothing is checked on the
/// loop thread, ids and signatures on workers. Relays send no faster than the workers check: see `RelayPool.Hooks.deliver`.
///
/// The watcher must live until the loop has stopped.
package final class RequestWatcher: Sendable {
  private struct State {
    var seen = SeenRequests()
    var limits = WakeLimits()
    var figures = Figures()
  }

  /// Which keys are looked for where.
  private struct Watched {
    var keys: Set<PublicKey> = []
    var named: [WebSocketURL: Set<PublicKey>] = [:]
  }

  private struct Pools {
    var pools: [[WatchedPool]] = []
    var isOver = false
  }

  private let loop: EventLoop
  private let options: Options
  private let hooks: Hooks
  private let workers: WorkQueue
  /// Reads the keys and relays. No worker does: a store may be slow, and no wake waits for that.
  private let refresher = WorkQueue(threads: 1, most: 1)
  private let state = Locked(State())
  private let watched = Locked(Watched())
  private let plan: Locked<WatchPlan>
  private let pools = Locked(Pools())
  private let isRefreshing = Locked(false)
  private let silence: RelaySilence
  private let absence = Locked(RelayAbsence())
  /// The addresses of the proxy's own relays, as the state of a connection names them.
  private let ownRelays: Set<String>
  /// How long the last reading of keys and relays took, in milliseconds.
  private let lastReading = Locked<Int64>(0)
  /// The genuine requests of a worker's handful of events.
  private let found = Locked<[Found]>([])

  /// Watches nothing before `refresh`.
  package init(loop: EventLoop, options: Options, hooks: Hooks) {
    (self.loop, self.options, self.hooks) = (loop, options, hooks)
    ownRelays = Set(options.relays.map(\.text))
    let found = found
    workers = WorkQueue(threads: max(1, options.threads), most: options.mostWaiting) {
      let requests = found.withLock { found in
        defer { found = [] }
        return found
      }
      if !requests.isEmpty { hooks.wake(requests) }
    }
    plan = Locked(WatchPlan(own: options.relays, keysPerPool: options.keysPerPool))
    silence = RelaySilence(now: hooks.milliseconds())
    loop.post { [weak self] in self?.lookForSilence() }
  }

  /// Remembers requests that woke their signers before the start. Relays send them again, and they must not use up the wakes of new ones.
  package func remember(_ requests: [Bytes32]) {
    let now = hooks.milliseconds() / 1_000
    state.withLock { state in for request in requests { _ = state.seen.insert(request, now: now) } }
  }

  /// Asks for the keys and relays again, a little later. For each change of the registrations. Does not wait.
  package func refresh() {
    let isFirst = isRefreshing.withLock { isRefreshing in
      defer { isRefreshing = true }
      return !isRefreshing
    }
    guard isFirst else { return }
    loop.post { [weak self] in self?.refreshSoon() }
  }

  /// Ends all connections, tells the owner of the requests that have come, and ends all threads.
  package func stop() {
    pools.withLock { pools in
      pools.isOver = true
      for pool in pools.pools.joined() { pool.stop() }
    }
    workers.stop()
    refresher.stop()
  }

  /// What happened since the start.
  package var figures: Figures { state.withLock { $0.figures } }

  /// The state of each connection to a relay.
  package var health: [RelayHealth] { pools.withLock { $0.pools.joined().flatMap(\.health) } }

  /// For how many milliseconds none of the proxy's own relays was heard, or no relay at all where none of them is asked. About: connections are
  /// looked at every few seconds.
  package var silentMilliseconds: Int64 {
    let health = health
    let counted = health.filter { ownRelays.contains($0.url) }
    return silence.look(
      isConnected: (counted.isEmpty ? health : counted).contains(where: \.isHearing), now: hooks.milliseconds())
  }

  private func lookForSilence() {
    _ = silentMilliseconds
    let connected = Set(health.filter { $0.state == .connected }.map(\.url))
    // A relay that is away loses its place in the table only after the table heard that it is away.
    if absence.withLock({ $0.look(connected: connected, now: hooks.milliseconds()) }) { refresh() }
    _ = loop.after(milliseconds: options.silencePause) { [weak self] in self?.lookForSilence() }
  }

  /// Whether there is a connection to one of the proxy's own relays.
  package var isHearing: Bool {
    health.contains { $0.isHearing && ownRelays.contains($0.url) }
  }

  /// How many relays are the proxy's own.
  package var ownCount: Int { ownRelays.count }

  /// How many of the proxy's own relays are heard for all keys: each connection to such a relay stands, and it takes what is asked for.
  package var ownHearing: Int {
    let (health, evicted) = (health, Set(evicted.map(\.text)))
    return ownRelays.count { relay in
      let connections = health.filter { $0.url == relay }
      return !connections.isEmpty && connections.allSatisfy(\.isHearing) && !evicted.contains(relay)
    }
  }

  /// The relays that did not work and are left alone for now.
  package var evicted: Set<WebSocketURL> { pools.withLock { $0.pools.joined().reduce(into: []) { $0.formUnion($1.evicted) } } }

  // MARK: keys and relays

  private func refreshSoon() {
    _ = loop.after(milliseconds: pauseBeforeReading) { [weak self] in
      guard let self, !refresher.add(0, { [weak self] in self?.refreshNow() }) else { return }
      refreshSoon()  // another reading still waits
    }
  }

  /// As long as the last reading took, at least: anybody may change registrations each second, and all of them are read.
  var pauseBeforeReading: Int {
    max(options.refreshMilliseconds, Int(clamping: min(lastReading.withLock { $0 }, Self.longestPause)))
  }

  /// In milliseconds. Keys of another proxy that died wait for it, too.
  private static let longestPause: Int64 = 30_000

  private func refreshNow() {
    isRefreshing.withLock { $0 = false }  // first: a change from now on may not be in the answers
    let began = hooks.milliseconds()
    defer { lastReading.withLock { $0 = max(0, hooks.milliseconds() - began) } }
    // Reading takes a while. Only who refreshes waits for the plan; the loop thread waits for the pools.
    plan.withLock { plan in
      let keys = hooks.keys()
      let (before, absent) = (plan.places.relays, absence.withLock { $0.absent })
      let shares = plan.shares(keys: keys, relays: hooks.relays(), absent: absent)
      pools.withLock { pools in
        guard !pools.isOver else { return }
        watch(keys, shares)
        set(shares, &pools)
      }
      note(plan.places.relays, leftOut: plan.takeLeftOut(), before, absent)
    }
  }

  private func note(
    _ watched: Set<WebSocketURL>, leftOut: Set<WebSocketURL>, _ before: Set<WebSocketURL>, _ absent: Set<WebSocketURL>
  ) {
    absence.withLock { $0.placed(watched, named: watched.union(leftOut), now: hooks.milliseconds()) }
    hooks.planned(
      RelayTable.Plan(
        watched: watched, absent: absent.intersection(watched), leftOut: leftOut,
        lost: absent.intersection(leftOut).intersection(before)))
  }

  private func watch(_ keys: Set<PublicKey>, _ shares: [[WatchPlan.Share]]) {
    var named: [WebSocketURL: Set<PublicKey>] = [:]
    for share in shares.joined() { for (relay, keys) in share.named { named[relay, default: []].formUnion(keys) } }
    watched.withLock { $0 = Watched(keys: keys, named: named) }
  }

  private func set(_ shares: [[WatchPlan.Share]], _ pools: inout Pools) {
    for (index, group) in shares.enumerated() {
      if index == pools.pools.count { pools.pools.append([]) }
      while pools.pools[index].count < group.count { pools.pools[index].append(makePool()) }
      for (pool, share) in zip(pools.pools[index], group) { pool.set(share) }
    }
  }

  private func makePool() -> WatchedPool {
    let hooks = RelayPool.Hooks(
      deliver: { [weak self] event, relay, handled in
        if let self { deliver(event, relay, handled) } else { handled() }
      }, authenticate: { [weak self] in self?.login($0, $1) ?? [] }, now: self.hooks.now,
      mayReachInside: self.hooks.mayReachInside)
    return WatchedPool(
      loop: loop, own: options.relays, hooks: hooks, timing: options.timing, options: Options.connection,
      probePause: options.probePause, ownChanged: self.hooks.ownChanged)
  }

  private func login(_ relay: WebSocketURL, _ challenge: String) -> [Event] {
    let identity = options.identity
    let answer = NIP42.event(relay: relay.text, challenge: challenge, author: identity.publicKey, now: hooks.now())
    return (try? answer.signed(by: identity)).map { [$0] } ?? []
  }

  // MARK: events

  /// An event on its way to its signer.
  private struct Candidate: Sendable {
    let found: Found
    let isPaired: Bool
  }

  /// On the loop thread.
  private func deliver(_ event: Event, _ relay: WebSocketURL, _ handled: @escaping @Sendable () -> Void) {
    let now = hooks.now()
    state.withLock { ($0.figures.received, $0.figures.lastEventAt) = ($0.figures.received + 1, now) }
    do throws(WatchRefusal) {
      let candidate = try screen(event, relay, now)
      let isQueued = workers.add(Self.size(of: event)) { [weak self] in
        self?.judge(candidate)
        handled()
      }
      guard isQueued else { throw .overloaded }
    } catch {
      refuse(error)
      handled()
    }
  }

  private func screen(_ event: Event, _ relay: WebSocketURL, _ now: Int64) throws(WatchRefusal) -> Candidate {
    let signer = try RequestScreen.signer(of: event, now: now) { isWatched($0, at: relay) }
    let isPaired = hooks.isPaired(event.pubkey, signer)
    let (isSeen, hasLeft) = state.withLock {
      (
        $0.seen.contains(event.id),
        $0.limits.has(event.pubkey, for: signer, isPaired: isPaired, now: hooks.milliseconds())
      )
    }
    guard !isSeen else { throw .seen }
    guard hasLeft else { throw .limited }
    return Candidate(found: Found(event: event, signer: signer, relay: relay, received: now), isPaired: isPaired)
  }

  private func isWatched(_ key: PublicKey, at relay: WebSocketURL) -> Bool {
    watched.withLock { options.relays.contains(relay) ? $0.keys.contains(key) : $0.named[relay]?.contains(key) ?? false }
  }

  /// What a waiting event holds in memory, about, in bytes.
  private static func size(of event: Event) -> Int { 1_024 + event.content.utf8.count }

  /// On a worker.
  private func judge(_ candidate: Candidate) {
    do throws(WatchRefusal) {
      guard (try? candidate.found.event.verify()) != nil else { throw .forged }
      try admit(candidate)
      found.withLock { $0.append(candidate.found) }
    } catch { refuse(error) }
  }

  /// Only verified events are remembered and counted: otherwise a forged copy would block the genuine event.
  private func admit(_ candidate: Candidate) throws(WatchRefusal) {
    let now = hooks.milliseconds()
    let refusal = state.withLock { state -> WatchRefusal? in
      let (event, signer) = (candidate.found.event, candidate.found.signer)
      guard state.seen.insert(event.id, now: now / 1_000) else { return .seen }
      guard state.limits.take(event.pubkey, for: signer, isPaired: candidate.isPaired, now: now) else { return .limited }
      state.figures.woken += 1
      return nil
    }
    if let refusal { throw refusal }
  }

  private func refuse(_ reason: WatchRefusal) { state.withLock { $0.figures.refused[reason, default: 0] += 1 } }
}
