package import Curve
package import Nostr
import Platform
package import Relays
package import Sockets

extension RequestWatcher {
  /// What the watcher asks its owner, and tells it.
  package struct Hooks: Sendable {
    /// The keys of all registered signers. Asked after `refresh`, on a thread of its own, which may wait.
    package var keys: @Sendable () -> Set<PublicKey>
    /// The relays that each signer's pairs named. Asked after `keys`, on the same thread.
    package var relays: @Sendable () -> [PublicKey: [WebSocketURL]]
    /// Whether the signer has paired this app. Asked for every event, on the loop thread: it must return quickly.
    package var isPaired: @Sendable (_ author: PublicKey, _ signer: PublicKey) -> Bool
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64
    /// Milliseconds of a clock that never goes back, for the limits.
    package var milliseconds: @Sendable () -> Int64 = { Clock.bootMilliseconds }
    /// Whether a relay may lie on this machine or inside the operator's network.
    package var mayReachInside: @Sendable (_ relay: WebSocketURL) -> Bool
    /// One of the proxy's own relays was connected or lost. Called on the loop thread: it must return quickly.
    package var ownChanged: @Sendable (WebSocketURL, RelayHealth) -> Void = { _, _ in }
    /// Which relays that pairs named are watched, and which are not. Called on the thread of `keys`.
    package var planned: @Sendable (RelayTable.Plan) -> Void = { _ in }
    /// Requests came for signers, at least one. Id, signature, date and limits are checked. Called on a worker, which may wait.
    package var wake: @Sendable ([Found]) -> Void

    /// All hooks.
    package init(
      keys: @escaping @Sendable () -> Set<PublicKey>, relays: @escaping @Sendable () -> [PublicKey: [WebSocketURL]],
      isPaired: @escaping @Sendable (PublicKey, PublicKey) -> Bool, now: @escaping @Sendable () -> Int64,
      mayReachInside: @escaping @Sendable (WebSocketURL) -> Bool,
      wake: @escaping @Sendable ([Found]) -> Void
    ) {
      (self.keys, self.relays, self.isPaired, self.now) = (keys, relays, isPaired, now)
      (self.mayReachInside, self.wake) = (mayReachInside, wake)
    }
  }

  /// A request that was found.
  package struct Found: Sendable {
    package let event: Event
    /// Whom it is for.
    package let signer: PublicKey
    package let relay: WebSocketURL
    /// When it came, in seconds since 1970.
    package let received: Int64
  }

  /// What the operator decides.
  package struct Options: Sendable {
    /// The most relays of the proxy's own.
    package static let mostOwnRelays = 16

    /// The proxy's own relays, which are asked for all keys. At most 16.
    package let relays: Set<WebSocketURL>
    /// Logs in to relays that require it (NIP-42). It is the proxy's own key, and no signer's.
    package let identity: KeyPair
    /// Threads that check signatures. One checks about 15,000 a second.
    package var threads = 1
    /// How long changes of keys and relays are collected, in milliseconds: each subscribes anew.
    package var refreshMilliseconds = 1_000
    /// The most keys that share a pool.
    var keysPerPool = WatchPlan.keysPerPool
    var timing = PoolTiming()
    var probePause = RelayProbation.pause
    var mostWaiting = WorkQueue.mostWaiting
    /// Milliseconds between two checks of the connections.
    var silencePause = RelaySilence.pause

    /// - Parameter relays: further ones than 16 are left out.
    package init(relays: Set<WebSocketURL>, identity: KeyPair) {
      self.relays = Set(relays.sorted { $0.text < $1.text }.prefix(Self.mostOwnRelays))
      self.identity = identity
    }

    /// The limits of a connection. The subscriptions for a pool's keys take 0.7 MB.
    static let connection = ConnectOptions(webSocket: WebSocketOptions(sendQueueBytes: 4 << 20))
  }

  /// What happened since the start.
  package struct Figures: Sendable, Equatable {
    /// Events that relays sent, without the copies that a pool recognised.
    package var received = 0
    /// Events that woke a signer.
    package var woken = 0
    /// All other events, by reason.
    package var refused: [WatchRefusal: Int] = [:]
    /// When the last event came, in seconds since 1970.
    package var lastEventAt: Int64?
  }
}
