public import Curve
public import Nostr
import Platform
public import Sockets

/// Connections to outside relays. The pool keeps them open, subscribes for our keys, and publishes each answer until a relay
/// accepts it.
///
/// Methods may be called from any thread and return at once. What relays send is parsed but not verified.
public final class RelayPool: @unchecked Sendable {  // Sendable: `connections` is locked; the rest belongs to the loop thread
  /// The most relays of one pool. Further ones are left out.
  public static let maximumRelays = 64
  /// The most keys of one subscription. More keys take further subscriptions on the same connection.
  package static let keysPerSubscription = RelayConnection.keysPerSubscription
  /// The most events remembered, to skip events that several relays send.
  static let rememberedEvents = 20_000

  /// What the owner of a pool provides.
  public struct Hooks: Sendable {
    /// An event arrived. Call `handled` once, from any thread. Too many unhandled events stop the reading from that relay.
    public var deliver: @Sendable (_ event: Event, _ from: WebSocketURL, _ handled: @escaping @Sendable () -> Void) -> Void
    /// A relay requires a login (NIP-42). Returns the signed login events for the keys concerned.
    public var authenticate: @Sendable (_ relay: WebSocketURL, _ challenge: String) -> [Event]
    /// Seconds since 1970.
    public var now: @Sendable () -> Int64
    /// A relay was connected or lost. Called on the loop thread; it must return quickly.
    public var changed: @Sendable (_ relay: WebSocketURL) -> Void
    /// Whether a relay may lie on this machine or inside the owner's network. Asked on the loop thread before each connection.
    public var mayReachInside: @Sendable (_ relay: WebSocketURL) -> Bool

    /// All hooks.
    public init(
      deliver: @escaping @Sendable (Event, WebSocketURL, @escaping @Sendable () -> Void) -> Void,
      authenticate: @escaping @Sendable (WebSocketURL, String) -> [Event], now: @escaping @Sendable () -> Int64,
      changed: @escaping @Sendable (WebSocketURL) -> Void = { _ in },
      mayReachInside: @escaping @Sendable (WebSocketURL) -> Bool
    ) {
      (self.deliver, self.authenticate, self.now, self.changed) = (deliver, authenticate, now, changed)
      self.mayReachInside = mayReachInside
    }
  }

  /// What the pool requests from relays: events of these kinds for its keys.
  public struct Subscription: Sendable {
    let kinds: [Int]
    let lookBack: Int64
    let readsAllStored: Bool

    /// - Parameters:
    ///   - kinds: kinds of events.
    ///   - lookBack: how far back, in seconds by the events' own dates.
    ///   - readsAllStored: whether stored events beyond a relay's first answer are asked for, too.
    public init(kinds: [Int], lookBack: Int64, readsAllStored: Bool = false) {
      (self.kinds, self.lookBack, self.readsAllStored) = (kinds, lookBack, readsAllStored)
    }

    /// NIP-46, as far back as a request is accepted.
    public static let remoteSigning = Subscription(kinds: [EventKind.remoteSigning], lookBack: RelayConnection.lookBack)
  }

  let loop: EventLoop
  let hooks: Hooks
  let subscription: Subscription
  let timing: PoolTiming
  let options: ConnectOptions
  private let connections = Locked<[WebSocketURL: RelayConnection]>([:])
  // From here on: used on the loop thread only.
  var recent = RecentEvents(limit: rememberedEvents)
  private var keys: [PublicKey] = []
  private var fewerKeys: [WebSocketURL: [PublicKey]] = [:]
  /// The relays that may know all keys. Nil for every relay that is not in `fewerKeys`.
  private var trusted: Set<WebSocketURL>?

  /// A pool without relays.
  public init(
    loop: EventLoop, hooks: Hooks, timing: PoolTiming = PoolTiming(), options: ConnectOptions = ConnectOptions(),
    subscription: Subscription = .remoteSigning
  ) {
    (self.loop, self.hooks, self.timing, self.options, self.subscription) = (loop, hooks, timing, options, subscription)
  }

  /// Connects to these relays and disconnects from all others.
  /// - Parameter first: relays of these to prefer when there are too many.
  public func setRelays(_ urls: Set<WebSocketURL>, first: Set<WebSocketURL> = []) {
    let ordered = urls.sorted { (first.contains($0) ? 0 : 1, $0.text) < (first.contains($1) ? 0 : 1, $1.text) }
    let wanted = Set(ordered.prefix(Self.maximumRelays))
    loop.post { [self] in
      let (added, removed) = connections.withLock { connections in
        let removed = connections.filter { !wanted.contains($0.key) }.map(\.value)
        for connection in removed { connections[connection.url] = nil }
        let added = wanted.filter { connections[$0] == nil }.map { RelayConnection($0, self) }
        for connection in added { connections[connection.url] = connection }
        return (added, removed)
      }
      for connection in removed { connection.end() }
      for connection in added { connection.begin() }
      for connection in all { connection.beginIfAllowedNow() }
    }
  }

  /// Connects to one relay. For the loop thread.
  func connect(to url: WebSocketURL, _ connection: RelayConnection) -> WebSocket {
    var options = options
    options.reachesInside = hooks.mayReachInside(url)
    return loop.connect(to: url, options: options, handler: connection)
  }

  /// Subscribes for requests to these keys.
  /// - Parameters:
  ///   - trusted: the relays that may know all keys. Nil for every relay that `fewer` does not name.
  ///   - fewer: the keys for other relays. A relay in neither of them, such as one that is about to be dropped, is asked for no
  ///     key.
  public func setKeys(
    _ keys: [PublicKey], at trusted: Set<WebSocketURL>? = nil, only fewer: [WebSocketURL: [PublicKey]] = [:]
  ) {
    loop.post { [self] in
      let before = all.map { ($0, self.keys(of: $0.url)) }
      (self.keys, self.trusted, fewerKeys) = (keys, trusted, fewer)
      for (connection, keys) in before where keys != self.keys(of: connection.url) { connection.subscribe() }
    }
  }

  /// The keys to subscribe for on one relay. For the loop thread.
  func keys(of relay: WebSocketURL) -> [PublicKey] {
    fewerKeys[relay] ?? (trusted.map { $0.contains(relay) } ?? true ? keys : [])
  }

  /// Subscribes again on all relays, from the present time on. Used after the clock was set.
  public func subscribeAnew() { loop.post { [self] in for connection in all { connection.subscribe() } } }

  /// Subscribes again on one relay. Does nothing without a connection to it.
  public func subscribeAnew(at url: WebSocketURL) { loop.post { [self] in connections.withLock { $0[url] }?.subscribe() } }

  /// Subscribes again on all relays, and delivers again what was delivered before. Used when it could not be processed then.
  public func readAgain() {
    loop.post { [self] in
      recent = RecentEvents(limit: Self.rememberedEvents)
      for connection in all { connection.subscribe() }
    }
  }

  /// Publishes an answer on several relays.
  /// - Parameters:
  ///   - refresh: makes the answer again, for a relay to which it is sent a second time.
  ///   - done: called once, on the loop thread: true as soon as one relay accepted the answer, false when none did. Relays that
  ///     the pool does not know are skipped.
  public func publish(
    _ event: Event, to urls: [WebSocketURL], refresh: @escaping @Sendable () -> Event?,
    done: @escaping @Sendable (Bool) -> Void
  ) {
    loop.post { [self] in
      let targets = connections.withLock { connections in urls.compactMap { connections[$0] } }
      guard !targets.isEmpty else { return done(false) }
      let publication = Publication(relays: targets.count, refresh: refresh, done: done)
      for target in targets { target.publish(event, publication) }
    }
  }

  /// Calls `ready` on the loop thread once each of these relays was connected and has accepted the current subscription, or after
  /// `milliseconds`. A relay whose connection fails meanwhile is not waited for.
  public func whenSubscribed(_ urls: [WebSocketURL], within milliseconds: Int, _ ready: @escaping @Sendable () -> Void) {
    loop.post { [self] in
      let waiting = Waiting(ready)
      let targets = connections.withLock { connections in urls.compactMap { connections[$0] } }
      waiting.count = targets.count
      guard !targets.isEmpty else { return waiting.finish() }
      for target in targets { target.whenSubscribed { waiting.one() } }
      _ = loop.after(milliseconds: milliseconds) { waiting.finish() }
    }
  }

  /// Whether a relay has accepted the current subscription. For the loop thread.
  public func isSubscribed(to url: WebSocketURL) -> Bool { connections.withLock { $0[url] }?.isSubscribed ?? false }

  /// Calls `done` on the loop thread once every answer that was sent is settled, or after `milliseconds`. Answers for
  /// disconnected relays are not waited for.
  public func whenSettled(within milliseconds: Int, _ done: @escaping @Sendable () -> Void) {
    loop.post { [self] in
      guard milliseconds > 0, all.contains(where: { !$0.isSettled }) else { return done() }
      _ = loop.after(milliseconds: Self.settlingStep) { [weak self] in
        guard let self else { return done() }
        whenSettled(within: milliseconds - Self.settlingStep, done)
      }
    }
  }

  private static let settlingStep = 10

  /// The state of every relay, by address.
  public func health() -> [RelayHealth] {
    connections.withLock { $0.values.map(\.health) }.sorted { $0.url < $1.url }
  }

  private var all: [RelayConnection] { connections.withLock { Array($0.values) } }
}

/// Counts down on the loop thread.
private final class Waiting: @unchecked Sendable {  // Sendable: used on the loop thread only
  var count = 0
  private var ready: (@Sendable () -> Void)?

  init(_ ready: @escaping @Sendable () -> Void) { self.ready = ready }

  func one() {
    count -= 1
    if count <= 0 { finish() }
  }

  func finish() {
    ready?()
    ready = nil
  }
}
