public import Curve
import Encodings
public import Nostr
import Platform
import Sockets

/// A private relay inside the signer. It accepts only events of kind 24133 and stores them for ten minutes (NIP-01, NIP-11,
/// NIP-42).
///
/// Incoming events are verified on the owner's workers, stored, sent to subscribers, and passed to the signer directly, without a
/// socket.
public final class EmbeddedRelay: Sendable {
  /// What the owner of the relay provides.
  public struct Hooks: Sendable {
    /// Runs the job that checks a message of the given size: on a worker or, for a single message, on the thread that read it.
    /// Returns false when there are too many jobs.
    public var work: @Sendable (_ bytes: Int, _ job: @escaping @Sendable () -> Void) -> Bool
    /// Receives every accepted event and its arrival time (`Clock.monotonicNanoseconds`). Id and signature are verified. Called
    /// within `work`.
    public var deliver: @Sendable (_ event: Event, _ arrived: UInt64) -> Void
    /// Seconds since 1970.
    public var now: @Sendable () -> Int64
    /// Whether the event is fresh and was not received from another relay before. Called before `deliver`.
    public var isUnheard: @Sendable (Event) -> Bool

    /// All hooks.
    public init(
      work: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Bool,
      deliver: @escaping @Sendable (Event, UInt64) -> Void,
      now: @escaping @Sendable () -> Int64, isUnheard: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) { (self.work, self.deliver, self.now, self.isUnheard) = (work, deliver, now, isUnheard) }
  }

  /// Restricts who may use the relay.
  public struct Login: Sendable {
    /// The relay addresses that a login may name (NIP-42).
    public var addresses: [String]
    /// Whether a client with this key is admitted.
    public var welcomes: @Sendable (PublicKey) -> Bool

    /// A login that every request requires.
    public init(addresses: [String], welcomes: @escaping @Sendable (PublicKey) -> Bool) {
      (self.addresses, self.welcomes) = (addresses, welcomes)
    }
  }

  struct State {
    var kept = Kept()
    var subscriptions: Subscriptions
    var authors: TokenBuckets<PublicKey>
    var searches: TokenBucket
    var copies: TokenBucket
    var clients: [ObjectIdentifier: EmbeddedConnection] = [:]
    var admittance = RelayAdmission()
    var bytesInFlight = 0
    var isTaking = true
  }

  /// The limits in force.
  public let limits: RelayLimits
  let hooks: Hooks
  let login: Login?
  /// Milliseconds of a clock that never goes back.
  let clock: @Sendable () -> Int64
  let parseLimits: EventLimits
  let eventRate: TokenBucket.Rate
  let requestRate: TokenBucket.Rate
  let searchRate: TokenBucket.Rate
  let ownSearchRate: TokenBucket.Rate
  let copyRate: TokenBucket.Rate
  let state: Locked<State>

  /// An empty relay.
  /// - Parameters:
  ///   - login: nil if no login is required.
  ///   - clock: milliseconds that never go back, for the rate limits. Nil for the system's monotonic clock.
  public init(
    limits: RelayLimits = RelayLimits(), hooks: Hooks, login: Login? = nil,
    clock: (@Sendable () -> Int64)? = nil
  ) {
    let clock = clock ?? { Clock.monotonicMilliseconds }
    (self.limits, self.hooks, self.login, self.clock) = (limits, hooks, login, clock)
    // Events with more tags than allowed are still parsed, so that the answer can name the error.
    parseLimits = EventLimits(
      bytes: limits.messageBytes, content: limits.messageBytes, tags: limits.tags * 16, tagItems: limits.tags * 64,
      filters: limits.filters, filterValues: limits.filterValues)
    eventRate = .init(perSecond: limits.eventsPerSecond, burst: limits.eventBurst)
    requestRate = .init(perSecond: limits.requestsPerSecond, burst: limits.requestBurst)
    let authorRate = TokenBucket.Rate(perSecond: limits.authorEventsPerSecond, burst: limits.authorEventBurst)
    searchRate = .init(perSecond: limits.searchSteps / 10, burst: limits.searchSteps)
    ownSearchRate = .init(perSecond: limits.ownSearchSteps / 10, burst: limits.ownSearchSteps)
    copyRate = .init(perSecond: limits.copiesPerSecond, burst: limits.copyBurst)
    state = Locked(
      State(
        subscriptions: Subscriptions(ownValues: limits.ownSubscriptionValues),
        authors: TokenBuckets(authorRate, limit: limits.authors), searches: TokenBucket(searchRate, now: clock()),
        copies: TokenBucket(copyRate, now: clock())))
  }

  /// Sends an answer of the signer to subscribers, and stores it.
  /// - Returns: true: this relay always accepts what its signer sends.
  @discardableResult
  public func publish(_ event: Event) -> Bool {
    accept(event, Self.recipients(of: event), isAnswer: true)
    return true
  }

  /// Refuses events from now on. Subscriptions continue, so that answers in progress still arrive.
  public func stopTaking() { state.withLock { $0.isTaking = false } }

  /// Sets which apps are paired. Their connections are not closed to make room.
  public func setApps(_ apps: Set<PublicKey>) { state.withLock { $0.admittance.apps = apps } }

  /// Current connections and subscriptions, and stored events.
  public var counts: (connections: Int, subscriptions: Int, kept: Int) {
    state.withLock { ($0.clients.count, $0.subscriptions.count, $0.kept.count) }
  }

  /// Bytes that wait to be sent to all clients.
  var queuedBytes: Int { state.withLock { Array($0.clients.values) }.reduce(0) { $0 + $1.queuedBytes } }

  /// Stores an event and sends it to subscribers. Its JSON is encoded once.
  /// - Parameters:
  ///   - isAnswer: whether the signer made it.
  ///   - answer: called before any subscriber receives the event, if it is new.
  /// - Returns: false when the event was stored before.
  @discardableResult
  func accept(_ event: Event, _ recipients: [Bytes32], isAnswer: Bool, answer: () -> Void = {}) -> Bool {
    let (now, instant) = (hooks.now(), clock())
    let listeners = state.withLock { state -> [Subscription]? in
      let insertion = state.kept.insert(event, recipients: recipients, isAnswer: isAnswer, now: now, limits: limits)
      guard insertion != .known else { return nil }
      // When everybody has to log in, there are no strangers.
      guard login == nil else { return state.subscriptions.naming(recipients) }
      return state.listeners(to: recipients, limits, copyRate, now: instant)
    }
    guard let listeners = listeners?.filter({ $0.wants(event) }) else { return false }
    answer()
    guard !listeners.isEmpty else { return true }
    let json = event.json()
    for subscription in listeners { subscription.send(json) }
    return true
  }

  /// The keys in the event's `p` tags, each once.
  static func recipients(of event: Event) -> [Bytes32] {
    var found: [Bytes32] = []
    for tag in event.tags where tag.count > 1 && tag[0] == "p" {
      if let key = Bytes32(hex: tag[1]), !found.contains(key) { found.append(key) }
    }
    return found
  }
}
