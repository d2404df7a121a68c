import Curve
import Encodings
import Nostr
import Platform

/// The requests of clients to the relay.
extension EmbeddedRelay {
  func opened(_ client: EmbeddedConnection) {
    if login != nil { client.send(.auth(challenge: client.challenge)) }
  }

  func gone(_ client: EmbeddedConnection) {
    state.withLock { state in
      state.clients[ObjectIdentifier(client)] = nil
      state.subscriptions.removeAll(of: client)
      state.admittance.left(ObjectIdentifier(client))
    }
  }

  func closed(_ subscription: String, by client: EmbeddedConnection) {
    state.withLock { $0.subscriptions.remove(subscription, of: client) }
  }

  func requested(_ name: String, _ filters: [Filter], by client: EmbeddedConnection) {
    guard login == nil || client.isLoggedIn else { return client.refuse(name, .loginNeeded) }
    let (now, instant) = (hooks.now(), clock())
    let making = filters.reduce(1) { $0 + $1.valueCount } * RelayLimits.stepsPerValue
    guard client.maySearch(making) || state.withLock({ $0.searches.take(searchRate, count: making, now: instant) }) else {
      return client.refuse(name, .tooFast)
    }
    let subscription = Subscription(name: name, client: client, filters: filters)
    // Otherwise anybody who reaches the port could see which keys communicate with each other.
    guard subscription.isPointed else { return client.refuse(name, .noRecipients) }
    // The subscription is registered before the stored events are sent, so that no event is missed. One may arrive twice, which
    // clients must accept.
    let (refusal, stored) = state.withLock { state -> (RelayRefusal?, [Event]) in
      let isNew = !state.subscriptions.contains(name, of: client)
      if isNew, state.subscriptions.count(of: client) >= limits.subscriptions { return (.tooManySubscriptions, []) }
      if subscription.recipients == nil, state.subscriptions.openCount >= limits.openSubscriptions {
        return (.tooManyOpenSubscriptions, [])
      }
      if let refusal = state.subscriptions.refusal(of: subscription, limits) { return (refusal, []) }
      state.kept.dropOld(now: now, limits: limits)
      func shares(_ steps: Int) -> Bool { state.searches.take(searchRate, count: steps, now: instant) }
      let comparisons = state.kept.steps(subscription.filters)
      guard client.maySearch(comparisons) || shares(comparisons) else { return (.tooFast, []) }
      var stored = state.kept.matching(subscription.matchers, bytes: limits.sendQueueBytes / 2)
      // Sending the stored events counts as searching. Events that strangers stored for an app's key must not prevent its
      // subscription when they use up the shared budget. The app then receives a few of them, the signer's answers first.
      let steps = stored.reduce(0) { $0 + KeptEvents.size(of: $1) } / RelayLimits.bytesPerStep
      let isSent = client.maySend(steps) || shares(steps)
      if !isSent { stored = state.kept.matching(subscription.matchers, bytes: client.takeSending() * RelayLimits.bytesPerStep) }
      state.subscriptions.insert(subscription)
      return (nil, stored)
    }
    if let refusal { return client.refuse(name, refusal) }
    for event in stored { subscription.send(event.json()) }
    client.send(.endOfStored(subscription: name))
  }

  func offered(_ event: Event, size: Int, by client: EmbeddedConnection) {
    let arrived = Clock.monotonicNanoseconds
    let recipients = Self.recipients(of: event)
    if let refusal = cheapFault(event, recipients, client) { return client.refuse(event.id, refusal) }
    guard !state.withLock({ $0.kept.contains(event.id) }) else { return duplicate(event.id, client) }
    onWorker(event.id, size, client) { [self] in
      if let fault = Self.costlyFault(event) {
        client.refuse(event.id, fault)
        return client.forged()
      }
      guard !hooks.isUnheard(event) || mayTake(from: event.pubkey) else { return client.refuse(event.id, .authorTooFast) }
      let isNew = accept(event, recipients, isAnswer: false) {
        vouch(for: client, by: event)
        client.send(.ok(id: event.id, accepted: true, message: ""))
      }
      guard isNew else { return duplicate(event.id, client) }
      hooks.deliver(event, arrived)
    }
  }

  func login(_ event: Event, size: Int, by client: EmbeddedConnection) {
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

  // A check costs 50 µs. Many checks go to the workers, not to the event loop. Until its check is done, an event counts as in
  // progress.
  private func onWorker(_ id: Bytes32, _ size: Int, _ client: EmbeddedConnection, _ job: @escaping @Sendable () -> Void) {
    let hasRoom = state.withLock { state in
      let room = max(limits.fairBytesInFlight, limits.allBytesInFlight - state.bytesInFlight)
      guard size <= room else { return false }
      state.bytesInFlight += size
      return true
    }
    guard hasRoom else { return client.refuse(id, .busy) }
    client.checkBegins(size)
    let isQueued = hooks.work(size) { [self] in
      job()
      checked(size, client)
    }
    guard !isQueued else { return }
    checked(size, client)
    client.refuse(id, .busy)
  }

  private func checked(_ size: Int, _ client: EmbeddedConnection) {
    client.checkEnds(size)
    state.withLock { $0.bytesInFlight -= size }
  }

  private func duplicate(_ id: Bytes32, _ client: EmbeddedConnection) {
    client.send(.ok(id: id, accepted: true, message: RelayRefusal.duplicate))
  }

  /// All checks that need no signature verification, cheapest first.
  private func cheapFault(_ event: Event, _ recipients: [Bytes32], _ client: EmbeddedConnection) -> RelayRefusal? {
    if login != nil, !client.isLoggedIn { return .loginNeeded }
    guard event.kind == EventKind.remoteSigning else { return .wrongKind }
    guard event.tags.count <= limits.tags else { return .tooManyTags }
    guard !recipients.isEmpty else { return .noRecipient }
    let (difference, overflow) = hooks.now().subtractingReportingOverflow(event.createdAt)
    guard !overflow, difference.magnitude <= UInt64(limits.clockDifference) else { return .wrongTime }
    return state.withLock { $0.isTaking } ? nil : .stopping
  }

  /// Counts a new event of this author whose signature was verified. Forged and repeated events in its name do not count.
  private func mayTake(from author: PublicKey) -> Bool {
    let now = clock()
    return state.withLock { $0.authors.take(author, now: now) }
  }

  private static func costlyFault(_ event: Event) -> RelayRefusal? {
    guard event.hasCorrectID else { return .wrongID }
    return event.hasValidSignature ? nil : .badSignature
  }
}
