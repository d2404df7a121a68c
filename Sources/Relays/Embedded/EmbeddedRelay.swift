public import Curve
internal import Encodings
public import Nostr
internal import Platform
internal import Sockets

/// A private signing relay inside the signer: events of kind 24133 and nothing else, kept ten minutes (NIP-01, NIP-11, NIP-42).
///
/// What comes is verified on the owner's workers, kept, passed to those who subscribed, and handed to the signer without a
/// socket between.
public final class EmbeddedRelay: Sendable {
  /// What the owner of the relay brings.
  public struct Hooks: Sendable {
    /// Runs the job that checks a message of so many bytes, on a worker or, where it comes alone, on the thread that read it; false when
    /// there are too many.
    public var work: @Sendable (_ bytes: Int, _ job: @escaping @Sendable () -> Void) -> Bool
    /// Hears every event that was taken, and when it came (`Clock.monotonicNanoseconds`); id and signature are checked. Called within
    /// `work`.
    public var deliver: @Sendable (_ event: Event, _ arrived: UInt64) -> Void
    /// Seconds since 1970.
    public var now: @Sendable () -> Int64
    /// Whether the event is fresh, and nobody had it from another relay before. Called before `deliver`.
    public var isUnheard: @Sendable (Event) -> Bool

    /// All hooks.
    public init(
      work: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Bool,
      deliver: @escaping @Sendable (Event, UInt64) -> Void,
      now: @escaping @Sendable () -> Int64, isUnheard: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) { (self.work, self.deliver, self.now, self.isUnheard) = (work, deliver, now, isUnheard) }
  }

  /// Who may use the relay, if not everybody who can reach it.
  public struct Login: Sendable {
    /// The addresses that a login may name (NIP-42).
    public var addresses: [String]
    /// Whether this key may come in.
    public var welcomes: @Sendable (PublicKey) -> Bool

    /// A login that is needed for everything.
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
  /// Milliseconds that never go back.
  let clock: @Sendable () -> Int64
  let parseLimits: EventLimits
  let eventRate: TokenBucket.Rate
  let requestRate: TokenBucket.Rate
  let searchRate: TokenBucket.Rate
  let ownSearchRate: TokenBucket.Rate
  let copyRate: TokenBucket.Rate
  let state: Locked<State>

  /// A relay with nothing in it.
  /// - Parameters:
  ///   - login: nil if nobody has to log in.
  ///   - clock: milliseconds that never go back, for the rates; nil for the machine's.
  public init(
    limits: RelayLimits = RelayLimits(), hooks: Hooks, login: Login? = nil,
    clock: (@Sendable () -> Int64)? = nil
  ) {
    let clock = clock ?? { Clock.monotonicMilliseconds }
    (self.limits, self.hooks, self.login, self.clock) = (limits, hooks, login, clock)
    // More tags than allowed are still read, so that the answer can name the fault.
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

  /// Passes an answer of the signer to those who subscribed, and keeps it.
  /// - Returns: true: this relay always takes what its signer sends.
  @discardableResult
  public func publish(_ event: Event) -> Bool {
    accept(event, Self.recipients(of: event), isAnswer: true)
    return true
  }

  /// From now on events are refused; subscriptions go on, so that answers under way still arrive.
  public func stopTaking() { state.withLock { $0.isTaking = false } }

  /// Says which apps are paired: their connections are not closed for others.
  public func setApps(_ apps: Set<PublicKey>) { state.withLock { $0.admittance.apps = apps } }

  /// Connections and subscriptions now, and events kept.
  public var counts: (connections: Int, subscriptions: Int, kept: Int) {
    state.withLock { ($0.clients.count, $0.subscriptions.count, $0.kept.count) }
  }

  /// Bytes that wait for all clients.
  var queuedBytes: Int { state.withLock { Array($0.clients.values) }.reduce(0) { $0 + $1.queuedBytes } }

  /// Keeps an event and fans it out; its JSON is written once.
  /// - Parameters:
  ///   - isAnswer: whether the signer made it.
  ///   - answer: called before anybody else hears of the event, if it is new.
  /// - Returns: false when it was kept before.
  @discardableResult
  func accept(_ event: Event, _ recipients: [Bytes32], isAnswer: Bool, answer: () -> Void = {}) -> Bool {
    let (now, instant) = (hooks.now(), clock())
    let listeners = state.withLock { state -> [Subscription]? in
      let insertion = state.kept.insert(event, recipients: recipients, isAnswer: isAnswer, now: now, limits: limits)
      guard insertion != .known else { return nil }
      // Where all have to log in there are no strangers.
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
