import Platform
import Relays
import Sockets

/// A pool of relays that leaves alone those that do not work, and tries each of them again every hour.
final class WatchedPool: Sendable {
  private struct State {
    var share = WatchPlan.Share()
    var probation = RelayProbation()
    var isOver = false
  }

  private let loop: EventLoop
  private let own: Set<WebSocketURL>
  private let probePause: Int
  private let ownChanged: @Sendable (WebSocketURL, RelayHealth) -> Void
  private let state = Locked(State())
  /// Set in `init`: its hooks need this object.
  private let pool = Locked<RelayPool?>(nil)

  /// - Parameters:
  ///   - own: the relays that are asked for all keys of a share.
  ///   - hooks: without `changed`.
  ///   - ownChanged: called on the loop thread when one of the `own` was connected or lost.
  ///   - probePause: milliseconds until a relay that did not work is tried again.
  init(
    loop: EventLoop, own: Set<WebSocketURL>, hooks: RelayPool.Hooks, timing: PoolTiming, options: ConnectOptions,
    probePause: Int = RelayProbation.pause, ownChanged: @escaping @Sendable (WebSocketURL, RelayHealth) -> Void = { _, _ in }
  ) {
    (self.loop, self.own, self.probePause, self.ownChanged) = (loop, own, probePause, ownChanged)
    var hooks = hooks
    hooks.changed = { [weak self] in self?.changed($0) }
    let made = RelayPool(loop: loop, hooks: hooks, timing: timing, options: options)
    pool.withLock { $0 = made }
  }

  /// Sets what the pool looks for.
  func set(_ share: WatchPlan.Share) {
    let isNew = state.withLock { state in
      guard state.share != share, !state.isOver else { return false }
      state.share = share
      state.probation.keep(wanted(share))
      return true
    }
    if isNew { apply() }
  }

  /// Ends all connections.
  func stop() {
    state.withLock { $0.isOver = true }
    apply()
  }

  /// The relays that are tried now.
  var health: [RelayHealth] { current?.health() ?? [] }

  /// The relays that are left alone.
  var evicted: Set<WebSocketURL> { state.withLock { $0.probation.evicted } }

  private var current: RelayPool? { pool.withLock { $0 } }

  private func wanted(_ share: WatchPlan.Share) -> Set<WebSocketURL> {
    (share.keys.isEmpty && !share.isFirst ? [] : own).union(share.named.keys)
  }

  private func apply() {
    let (share, relays) = state.withLock { state in
      (state.share, state.isOver ? [] : wanted(state.share).subtracting(state.probation.evicted))
    }
    current?.setKeys(share.keys, at: own, only: share.named)
    current?.setRelays(relays, first: own)
  }

  /// On the loop thread.
  private func changed(_ relay: WebSocketURL) {
    guard let found = health.first(where: { $0.url == relay.text }), found.state != .connecting else { return }
    let now = found.state
    if own.contains(relay) { ownChanged(relay, found) }
    let isEvicted = state.withLock { state in
      if now == .waiting { return state.probation.lost(relay, now: Clock.bootMilliseconds) }
      state.probation.connected(relay, now: Clock.bootMilliseconds)
      return false
    }
    guard isEvicted else { return }
    apply()
    _ = loop.after(milliseconds: probePause) { [weak self] in self?.probe(relay) }
  }

  private func probe(_ relay: WebSocketURL) {
    state.withLock { $0.probation.probe(relay) }
    apply()
  }
}
