internal import Encodings
internal import Locks
internal import Nostr

/// What the relay does for its clients.
extension EmbeddedRelay {
  func opened(_ client: RelayClient) {
    state.withLock { $0.connections += 1 }
    if login != nil { client.send(.auth(challenge: client.challenge)) }
  }

  func gone(_ client: RelayClient) {
    state.withLock { state in
      state.connections -= 1
      state.subscriptions.removeAll(of: client)
    }
  }

  func closed(_ subscription: String, by client: RelayClient) {
    state.withLock { $0.subscriptions.remove(subscription, of: client) }
  }

  func requested(_ name: String, _ filters: [Filter], by client: RelayClient) {
    guard login == nil || client.isLoggedIn else { return client.refuse(name, .loginNeeded) }
    let subscription = Subscription(name: name, client: client, filters: filters)
    let now = hooks.now()
    // Registered before the stored events go out, so that none falls between; one may come twice, which clients must bear.
    let (refusal, stored) = state.withLock { state -> (RelayRefusal?, [Event]) in
      let isNew = !state.subscriptions.contains(name, of: client)
      if isNew, state.subscriptions.count(of: client) >= limits.subscriptions { return (.tooManySubscriptions, []) }
      if subscription.recipients == nil, state.subscriptions.openCount >= limits.openSubscriptions {
        return (.tooManyOpenSubscriptions, [])
      }
      state.subscriptions.insert(subscription)
      state.kept.dropOld(now: now, limits: limits)
      return (nil, state.kept.matching(subscription.filters))
    }
    if let refusal { return client.refuse(name, refusal) }
    for event in stored { subscription.send(event.json()) }
    client.send(.endOfStored(subscription: name))
  }

  func offered(_ event: Event, size: Int, by client: RelayClient) {
    let recipients = Self.recipients(of: event)
    if let refusal = cheapFault(event, recipients, client) { return client.refuse(event.id, refusal) }
    guard !state.withLock({ $0.kept.contains(event.id) }) else { return duplicate(event.id, client) }
    onWorker(event.id, size, client) { [self] in
      if let fault = Self.costlyFault(event) { return client.refuse(event.id, fault) }
      let isNew = accept(event, recipients) { client.send(.ok(id: event.id, accepted: true, message: "")) }
      guard isNew else { return duplicate(event.id, client) }
      hooks.deliver(event)
    }
  }

  func login(_ event: Event, size: Int, by client: RelayClient) {
    guard let login else { return client.refuse(event.id, .noLogin) }
    onWorker(event.id, size, client) { [self] in
      let now = hooks.now()
      do throws(LoginError) {
        try NIP42.check(event, relays: login.addresses, challenge: client.challenge, now: now)
      } catch { return client.refuse(event.id, .badLogin) }
      guard login.welcomes(event.pubkey) else { return client.refuse(event.id, .notWelcome) }
      client.logIn(event.pubkey)
      client.send(.ok(id: event.id, accepted: true, message: ""))
    }
  }

  // A check costs 50 µs: it is a worker's, not the event loop's. Until it is done the event counts as under way.
  private func onWorker(_ id: Bytes32, _ size: Int, _ client: RelayClient, _ job: @escaping @Sendable () -> Void) {
    client.checkBegins(size)
    let isQueued = hooks.work {
      job()
      client.checkEnds(size)
    }
    guard !isQueued else { return }
    client.checkEnds(size)
    client.refuse(id, .busy)
  }

  private func duplicate(_ id: Bytes32, _ client: RelayClient) {
    client.send(.ok(id: id, accepted: true, message: RelayRefusal.duplicate))
  }

  /// All that can be said without a signature check, in order of cost.
  private func cheapFault(_ event: Event, _ recipients: [Bytes32], _ client: RelayClient) -> RelayRefusal? {
    if login != nil, !client.isLoggedIn { return .loginNeeded }
    guard event.kind == EventKind.remoteSigning else { return .wrongKind }
    guard event.tags.count <= limits.tags else { return .tooManyTags }
    guard !recipients.isEmpty else { return .noRecipient }
    let (difference, overflow) = hooks.now().subtractingReportingOverflow(event.createdAt)
    guard !overflow, difference.magnitude <= UInt64(limits.clockDifference) else { return .wrongTime }
    let now = clock()
    return state.withLock { state in
      guard state.isTaking else { return .stopping }
      return state.authors.take(event.pubkey, now: now) ? nil : .authorTooFast
    }
  }

  private static func costlyFault(_ event: Event) -> RelayRefusal? {
    guard event.hasCorrectID else { return .wrongID }
    return event.hasValidSignature ? nil : .badSignature
  }
}
