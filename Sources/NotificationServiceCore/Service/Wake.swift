import Curve
import Encodings
import Nostr
import Platform
import RemoteSigning

/// One wake: fetches the request that a push names, decides, records, answers.
final class Wake {
  /// What must be left of the time for a request to be accepted, in milliseconds: one that is accepted is not accepted again.
  static let leastTime = 1_000

  private let state: ExtensionState
  private let journal: ExtensionJournal
  private let engine: SigningEngine
  private let relays: RelayConnections
  private let text: NotificationText
  private let now: Int64
  private var places: SigningPlaces

  init(
    _ state: ExtensionState, _ journal: ExtensionJournal, _ transport: any NotificationTransport, deadline: Int64, now: Int64
  ) {
    (self.state, self.journal, self.now) = (state, journal, now)
    engine = SigningEngine(state, journal.entries, now: now)
    relays = RelayConnections(transport, engine, deadline: deadline, now: now)
    text = NotificationText(state: state, engine: engine)
    places = SigningPlaces(state, journal.entries)
  }

  deinit { relays.close() }

  // MARK: events

  /// Answers the request that a push tells of, and those that the relay has with it.
  func answer(_ push: PushPayload) -> NotificationOutcome {
    if let known = journal.entry(of: push.eventID) { return again(known) }
    guard engine.knows(push.relay, for: push.event.flatMap { SigningEngine.recipient(of: $0) }), isForUs(push) else {
      return .notOurs
    }
    guard let events = events(push) else { return .failed(.relays) }
    guard events.contains(where: { $0.id == push.eventID }) else { return .notFound }
    var outcome = NotificationOutcome.notOurs
    for event in RequestOrder.ordered(events, links: Set(engine.openLinks.map(\.remoteSigner))) {
      let isNamed = event.id == push.eventID
      let one = process(event, from: push.relay, isNamed: isNamed)
      if isNamed { outcome = one }
    }
    return outcome
  }

  private func isForUs(_ push: PushPayload) -> Bool {
    push.signer.map { hex in engine.remoteSigners.contains { $0.hex == hex } } ?? true
  }

  /// - Returns: nil if the relay has to be asked and cannot be reached.
  private func events(_ push: PushPayload) -> [Event]? {
    guard let event = push.event else { return relays.events(push, for: signers(push)) }
    let links = engine.openLinks.map(\.remoteSigner)
    // A request to a link that came before the one that pairs the app. That one has its own push, or is at the relay.
    guard let recipient = SigningEngine.recipient(of: event), links.contains(recipient) else { return [event] }
    return [event] + (relays.events(push, for: [recipient]) ?? []).filter { $0.id != event.id }
  }

  /// Whom other requests are fetched for: the key that the push names, or all of the relay's.
  private func signers(_ push: PushPayload) -> [PublicKey] {
    let known = engine.remoteSigners(at: push.relay)
    guard let signer = push.signer else { return known }
    return known.filter { $0.hex == signer }
  }

  /// A request that an earlier wake accepted, with another one. If it waits and the owner was not told, that is done now.
  private func again(_ entry: JournalEntry) -> NotificationOutcome {
    guard let request = entry.waiting, !entry.isTold, isHeard(request) else { return .seen }
    try? journal.note(.told(entry.eventID))
    return text.outcome(Self.result(of: request), of: request, by: request.rule)
  }

  private func isHeard(_ request: PendingRequest) -> Bool {
    engine.isSuspended || engine.pairings.first { $0.remoteSigner == request.remoteSigner }?.grant.isSuspended != true
  }

  private func process(_ event: Event, from relay: RelayURL, isNamed: Bool) -> NotificationOutcome {
    guard journal.entry(of: event.id) == nil else { return .seen }
    guard engine.knows(relay, for: SigningEngine.recipient(of: event)) else { return .notOurs }
    guard relays.left >= Self.leastTime else { return .failed(.deadline) }
    switch engine.receive(event, now: now) {
    case .dropped(let reason): return Self.outcome(of: reason)
    case .refused(let refusal): return refuse(refusal, event, from: relay)
    case .held: return .failed(.overloaded)
    case .decided(let exchange): return carryOut(exchange, from: relay, isNamed: isNamed)
    }
  }

  private static func outcome(of reason: DropReason) -> NotificationOutcome {
    switch reason {
    case .alreadySeen: .seen
    case .rateLimited, .overloaded, .justStarted: .failed(.overloaded)
    case .connectRefused, .stale: NotificationOutcome(.denied)
    case .wrongKind, .notAddressed, .notOurs, .badSignature, .undecryptable, .notARequest, .notPaired, .linkSpent, .pairingEnded:
      .notOurs
    }
  }

  /// The sender gets an error, once: strangers could have the same event pushed again and again.
  private func refuse(_ refusal: Refusal, _ event: Event, from relay: RelayURL) -> NotificationOutcome {
    let outcome = Self.outcome(of: refusal.reason)
    guard let reply = refusal.reply, let recipient = SigningEngine.recipient(of: event) else { return outcome }
    let refused = journal.entries.count { if case .refused = $0.fate { true } else { false } }
    guard refused < ExtensionJournal.mostRefused else { return outcome }
    var entry = JournalEntry(
      time: now &* 1000, eventID: event.id, createdAt: event.createdAt, remoteSigner: recipient, client: event.pubkey)
    entry.fate = .refused(refusal.reason)
    do { try journal.record(.entry(entry)) } catch { return outcome }
    _ = publish([reply], to: refusal.relays, from: relay)
    return outcome
  }

  // MARK: exchanges

  /// Records an exchange, and only then carries it out.
  private func carryOut(_ asked: Exchange, from relay: RelayURL, isNamed: Bool) -> NotificationOutcome {
    var (exchange, signed) = (asked, JournalEntry.Signed?.none)
    switch places.settled(asked, now: now) {
    case .go(let settled, let place): (exchange, signed) = (settled, place)
    case .taken: exchange = asked.refusedAsTaken()
    }
    do { try journal.record(.entry(entry(exchange, signed, isNamed: isNamed))) } catch {
      return notRecorded(exchange, error, from: relay)
    }
    if let signed {
      places.keep(signed)
      engine.setKnown(signed.coordinate)
    }
    return perform(exchange, from: relay, isNamed: isNamed)
  }

  private func entry(_ exchange: Exchange, _ signed: JournalEntry.Signed?, isNamed: Bool) -> JournalEntry {
    let signer = exchange.channel.signer.publicKey
    var entry = JournalEntry(
      time: now &* 1000, eventID: exchange.eventID, createdAt: exchange.createdAt, remoteSigner: signer, client: exchange.client)
    (entry.identity, entry.method, entry.kind) = (exchange.identity, exchange.method, exchange.kind)
    (entry.decision, entry.signed, entry.isTold) = (exchange.decision, signed, isNamed)
    entry.usage = engine.takeCountedUsage()[signer]
    switch exchange.action {
    case .wait(let request), .waitStill(let request): entry.waiting = request
    case .pair(let offer): entry.pairing = offer.pairing
    case .answer, .use, .leave: break
    }
    return entry
  }

  /// Nothing was signed: a request that cannot be recorded is not carried out, and the app is told.
  private func notRecorded(_ exchange: Exchange, _ error: ExtensionError, from relay: RelayURL) -> NotificationOutcome {
    if case .pair(let offer) = exchange.action { engine.abandon(offer) }
    if case .wait(let request) = exchange.action { _ = engine.withdrawPending(request.name) }
    _ = publish(engine.refuseUnrecorded(exchange, now: now).replies, to: exchange.relays, from: relay)
    return .failed(.files(error))
  }

  private func perform(_ exchange: Exchange, from relay: RelayURL, isNamed: Bool) -> NotificationOutcome {
    if case .wait(let request) = exchange.action { return waits(request) }
    // The owner was told when it came first.
    if case .waitStill(let request) = exchange.action { return NotificationOutcome(Self.result(of: request), rule: request.rule) }
    if case .pair(let offer) = exchange.action { _ = engine.confirm(offer) }
    let outcome = engine.perform(exchange, now: now)
    // Its key went away since the decision, which the engine then makes wait.
    if let postponed = outcome.postponed { return carryOut(postponed, from: relay, isNamed: isNamed) }
    do throws(ExtensionError) {
      try journal.note(.made(exchange.eventID, signed: outcome.signedEvent, failed: outcome.failed))
    } catch { return notRecorded(exchange, error, from: relay) }
    let isTaken = publish(outcome.replies, to: exchange.relays, from: relay)
    try? journal.note(.sent(exchange.eventID, isTaken: isTaken))
    if case .leave = exchange.action, isTaken { try? journal.note(.left(exchange.eventID)) }
    return self.outcome(of: exchange, failed: outcome.failed, isTaken)
  }

  private func waits(_ request: PendingRequest) -> NotificationOutcome {
    let result = Self.result(of: request)
    guard isHeard(request) else { return NotificationOutcome(result, rule: request.rule) }
    return text.outcome(result, of: request, by: request.rule)
  }

  private static func result(of request: PendingRequest) -> NotificationOutcome.Result {
    request.rule == .locked ? .locked : .waiting
  }

  private func outcome(of exchange: Exchange, failed: Bool, _ isTaken: Bool) -> NotificationOutcome {
    let rule = exchange.decision?.rule
    if case .answer = exchange.action, failed { return text.denied(exchange) }
    guard isTaken else {
      guard let request = exchange.described else { return .failed(.relays) }
      return text.outcome(.failed, of: request, by: rule, fault: .relays)
    }
    switch exchange.action {
    case .pair(let offer): return text.paired(offer.pairing)
    case .leave:
      _ = engine.end(exchange.channel.signer.publicKey, now: now)
      return text.left(exchange)
    case .answer, .wait, .waitStill: return NotificationOutcome(.signed, rule: rule)
    case .use: break
    }
    if failed { return .failed(.answeredWithError) }
    return exchange.described.map { text.outcome(.signed, of: $0, by: rule) } ?? NotificationOutcome(.signed, rule: rule)
  }

  /// Sends answers: on the relay that the request came from, and on the app's other relays if that one does not take them.
  /// - Returns: whether a relay took each; true if there was none.
  private func publish(_ replies: [Reply], to others: [RelayURL], from origin: RelayURL) -> Bool {
    replies.reduce(true) { areTaken, reply in
      let isTaken = ([origin] + others.filter { $0 != origin }).contains { relays.publish(reply.event, on: $0) }
      return areTaken && isTaken
    }
  }
}
