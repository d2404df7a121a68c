import APNs
package import Curve
package import Encodings
package import Sockets

/// Where a proxy keeps what it must not forget: its own file, or a database that it shares with other proxies.
package protocol RegistrationsStore: AnyObject, Sendable {
  /// How much is kept. Does not wait.
  var counts: Registrations.Counts { get }
  /// How it is. Does not wait.
  var health: StoreHealth { get }
  /// Where it is, for the operator.
  var place: String { get }

  /// Makes several changes at once, in their order.
  /// - Returns: what became of each. When the store does not take them, none is made.
  func apply(_ changes: [Registrations.Change]) -> [Registrations.Result]
  /// Removes a device that its push service no longer knows, from all keys.
  /// - Parameter before: seconds since 1970. A device that registered again later stays. Nil removes it whenever it registered.
  /// - Returns: how many registrations were removed, one for each key.
  func forget(_ target: PushTarget, before: Int64?) throws(RegistrationsError) -> Int
  /// Notes that a device's push service took a wake for a key: it counts as heard of, like a device that registers again.
  /// - Parameter now: seconds since 1970.
  func renew(_ target: PushTarget, of key: PublicKey, now: Int64) throws(RegistrationsError)
  /// Removes what was not heard of for so long as `Retention` says: at most `RegistrationsWriter.mostExpired` devices at once.
  /// - Parameter now: seconds since 1970.
  /// - Returns: how many devices were removed.
  func expire(now: Int64) throws(RegistrationsError) -> Int
  /// Tries a small change, if one failed: a store that works again counts as reachable from then on. May wait.
  func tryAgain()
  /// The proxy's keys, made at the first call.
  func secrets() throws(RegistrationsError) -> ProxySecrets

  /// The keys with a device that this proxy looks after.
  func keys() throws(RegistrationsError) -> [PublicKey]
  /// The relays that pairs of these keys name. Asked for after `keys`.
  func relays() throws(RegistrationsError) -> [WebSocketURL: [PublicKey]]
  /// Whether a signer key has paired this client. Called on the loop thread: it must return quickly.
  func isPaired(_ client: PublicKey, with key: PublicKey) throws(RegistrationsError) -> Bool

  /// Notes requests before anybody is woken for them. May wait for the store.
  /// - Parameters:
  ///   - over: requests whose devices were woken meanwhile.
  ///   - wake: called with each request once it is noted, and the devices to wake; not for one that was noted before, here or by another
  ///     proxy.
  func claim(_ requests: [WakeRequest], over: [Bytes32], now: Int64, wake: (WakeRequest, [PushTarget]) -> Void)
  /// The requests that were noted lately, the newest first: at most `most`.
  func recentClaims(_ most: Int) throws(RegistrationsError) -> [Bytes32]
  /// Notes that the devices of these requests were woken, or that it was given up.
  func settle(_ requests: [Bytes32]) throws(RegistrationsError)

  /// Begins to call the hooks.
  func begin(_ hooks: RegistrationsHooks, now: Int64)
  /// The proxy is about to end: has others look after its keys, and gives them the time to begin. The proxy goes on meanwhile.
  func handOver()
  /// The proxy is about to end: `claim` does not try again, and nothing else waits long.
  func stopWaiting()
  /// Ends, after everything else.
  func end()
}

/// How a store is.
package struct StoreHealth: Sendable, Equatable {
  /// Whether it answered last time, and took what was to be stored.
  package var isReachable = true
  /// Why it is not reachable, in words without a full stop; nil when there is nothing to say.
  package var reason: String?
  /// How many proxies use it now.
  package var proxies = 1
  /// By how many seconds this machine's clock is ahead of the store's.
  package var ahead: Int64 = 0
  /// Requests that woke nobody, because the store did not note them in time.
  package var lost: Int64 = 0

  /// One proxy, and all is well.
  package init() {}
}

/// What a store tells the proxy.
package struct RegistrationsHooks: Sendable {
  /// The keys or relays to look after became others.
  let changed: @Sendable () -> Void
  /// A request that was noted, and whose devices may not have been woken, is for this proxy now.
  let resume: @Sendable (WakeRequest, [PushTarget]) -> Void
  /// Hands over the requests whose devices were woken since it was last asked.
  let takeOver: @Sendable () -> [Bytes32]
  /// The token for Apple's service, which proxies have in common; nil without access to it.
  let token: ProviderToken?
  /// Whether there is a connection to one of the proxy's own relays.
  let isHearing: @Sendable () -> Bool
  /// A line for the operator.
  let remark: @Sendable (Remark) -> Void
}

extension Registrations: RegistrationsStore {
  package var place: String { folder }
  package var health: StoreHealth {
    var health = StoreHealth()
    health.reason = trouble.reason
    health.isReachable = health.reason == nil
    return health
  }

  package func claim(_ requests: [WakeRequest], over: [Bytes32], now: Int64, wake: (WakeRequest, [PushTarget]) -> Void) {
    // On a disk that takes nothing they are woken all the same.
    for request in (try? claim(requests, over: over, now: now)) ?? requests { wake(request, devices(of: request)) }
  }

  package func begin(_ hooks: RegistrationsHooks, now: Int64) {
    whenChanged(hooks.changed)
    trouble.tell(hooks.remark)
    for request in (try? openClaims(now: now)) ?? [] { hooks.resume(request, devices(of: request)) }
  }

  // There are no others.
  package func handOver() {}
  // Nothing waits for a file.
  package func stopWaiting() {}
  package func end() {}

  private func devices(of request: WakeRequest) -> [PushTarget] { ((try? targets(of: request.signer)) ?? []).map(\.target) }
}
