import AuditLog
package import Curve
import Encodings
package import Nostr
package import Platform
import Relays
import RemoteSigning
import Sockets

/// Carries requests through the engine. They run on workers, are recorded before anything is signed, and are answered on the
/// relay they came from.
package final class SigningService: Sendable {
  let home: OpenedHome
  let workers: Workers
  let round: RequestRound
  let publishing: Publishing
  let milliseconds: @Sendable () -> Int64
  /// Whether only programs on this machine can reach the embedded relay.
  private let isHere: Bool
  /// The address that apps should show while a request waits. Nil for none.
  private let authURL: String?
  let meters: Meters
  private let allowance: LogAllowance
  private let refusedLinks: RefusedLinks
  let departures: OutgoingAnswers
  /// What became of requests that the owner approved.
  package let approved = ApprovedRequests()
  /// Carries out what no device has the key for; nil while there is no group.
  package let group = Locked<(any GroupWork)?>(nil)
  /// The time of day and the time since boot at the last clock check, in seconds.
  let lastLook: Locked<(second: Int64, boot: Int64)>

  /// - Parameters:
  ///   - round: in which the thread that owns the sockets handles the requests that it read together.
  ///   - isHere: whether only programs on this machine can reach the embedded relay.
  ///   - authURL: sent once to an app whose request waits. Nil to send nothing, which every app understands.
  ///   - milliseconds: the time of day, since 1970.
  ///   - shares: how much of the log apps may fill; nil for a part of the disk.
  package init(
    home: OpenedHome, workers: Workers, round: RequestRound, publishing: Publishing, isHere: Bool = true, authURL: String? = nil,
    milliseconds: @escaping @Sendable () -> Int64 = { Clock.milliseconds }, shares: LogQuotas? = nil
  ) {
    (self.home, self.workers, self.round, self.publishing, self.milliseconds) = (home, workers, round, publishing, milliseconds)
    (self.isHere, self.authURL) = (isHere, authURL)
    meters = home.meters
    allowance = LogAllowance(shares ?? LogQuotas { [path = home.folder.log] in FileSystem.freeBytes(at: path) })
    refusedLinks = RefusedLinks(home.log, home.signerEvents)
    lastLook = Locked((milliseconds() / 1000, Clock.boot))
    departures = OutgoingAnswers(publishing)
    home.log.gather { [weak workers] in workers?.unfinished ?? 0 }
    workers.whenIdle { [weak home] in home?.log.stopGathering() }
    home.signerEvents.subscribe { [weak self] signerEvent in
      switch signerEvent {
      case .lockChanged:
        workers.submitAlways { [weak self] in
          home.catchUp()
          home.storeWaiting()
          self?.reconsider()
        }
      case .answersOwed: workers.submitAlways { [weak self] in self?.sendOwed() }
      default: break
      }
    }
  }

  /// How many events were decided, signed, failed and dropped since the start.
  package var counts: Counters { meters.counts }

  // MARK: the path of a request

  /// Takes an event that a relay delivered.
  /// - Parameter mayWait: false on the thread that owns the sockets. Work that may wait for the disk, a lock or the log then goes
  ///   to a worker.
  package func take(_ event: Event, from origin: Origin, isVerified: Bool, mayWait: Bool = true) {
    if mayWait { return take(event, from: origin, isVerified) }
    if takeAtOnce(event, from: origin, isVerified) { return }
    workers.submitAlways { [self] in take(event, from: origin, isVerified) }
  }

  private func take(_ event: Event, from origin: Origin, _ isVerified: Bool) {
    guard let now = checkedTime() else { return meters.note { $0.dropped[.overloaded, default: 0] += 1 } }
    home.session.check()
    let isUnsure = home.mayBeAnswered(event)
    takeUp(home.engine.receive(event, isVerified: isVerified, isUnsure: isUnsure, now: now), event, origin, now)
  }

  private func takeUp(_ intake: Intake, _ event: Event, _ origin: Origin, _ now: Int64) {
    switch intake {
    case .dropped(let reason): notTaken(event, reason, origin, now)
    case .refused(let refusal):
      notTaken(event, refusal.reason, origin, now)
      if refusal.reason.isTooMany { meters.note { $0.lastTooMany = now } }
      send(refusal, origin)
    case .held: break
    case .decided(let exchange): takeUp(exchange, origin)
    }
  }

  /// - Returns: false when nothing was done, because it might have had to wait.
  private func takeAtOnce(_ event: Event, from origin: Origin, _ isVerified: Bool) -> Bool {
    guard let now = timeAtOnce(), !home.session.isOver, home.isCertain else { return false }
    switch home.engine.receive(event, isVerified: isVerified, isUnsure: false, now: now) {
    case .decided(let exchange) where allowance.recordsAtOnce(exchange): carryOut(exchange, from: origin, mayWait: false)
    case .held: break
    case let intake: workers.submitAlways { [self] in takeUp(intake, event, origin, now) }
    }
    return true
  }

  /// Records and carries out an app's request, as far as the app may fill the log.
  func takeUp(_ exchange: Exchange, _ origin: Origin?) {
    switch allowance.verdict(on: exchange) {
    case .recorded: carryOut(exchange, from: origin)
    case .gathered:
      meters.note { $0.count(exchange) }
      let outcome = home.engine.perform(exchange, now: seconds)
      meters.note { $0.count(outcome) }
      publish(outcome, exchange, origin) { _ in }
    case .refused:
      meters.note { $0.lastTooMany = seconds }
      // The app is told that the request has ended, and nothing of it keeps waiting.
      if case .wait(let request) = exchange.action { _ = home.engine.withdrawPending(request.name) }
      publish(home.engine.refuseUnrecorded(exchange, isShareUsedUp: true, now: seconds), exchange, origin) { _ in }
    }
  }

  /// Records the counts since the last call. Called during maintenance and at the end.
  package func recordGathered() {
    allowance.settle(in: home.log, apps: Set(home.engine.pairings.map(\.remoteSigner)), time: milliseconds())
  }

  private func notTaken(_ event: Event, _ reason: DropReason, _ origin: Origin, _ now: Int64) {
    meters.note { $0.dropped[reason, default: 0] += 1 }
    refusedLinks.note(reason, now: now)
    if let signal = signal(reason, event, origin, now) { home.sessionLock.report(signal, id: event.id) }
  }

  func send(_ refusal: Refusal, _ origin: Origin?) {
    guard let reply = refusal.reply else { return }
    publishing.send(reply, origin, refusal.relays) { _ in }
  }

  /// Handles what an app sent while its pairing was being stored.
  func takeHeld(_ offer: PairingOffer, _ origin: Origin?) {
    while let intake = home.engine.takeNextHeld(offer.link) {
      switch intake {
      case .decided(let exchange): takeUp(exchange, origin)
      case .refused(let refusal): send(refusal, origin)
      case .dropped, .held: break
      }
    }
  }

  /// Tells apps that their requests ended without the owner's answer.
  package func sendOwed() {
    for exchange in home.takeOwed() { publish(home.engine.perform(exchange, now: seconds), exchange, nil) { _ in } }
  }

  /// If an answered request arrives again this many seconds after it was made, it is not a copy from another relay.
  private static let latestCopy: Int64 = 60

  private func signal(_ reason: DropReason, _ event: Event, _ origin: Origin, _ now: Int64) -> IncidentSignal? {
    switch reason {
    case .rateLimited: return .flood
    case .badSignature: return .forgery
    case .linkSpent: return .spentLink
    case .alreadySeen:
      // A waiting request may be sent again: an app that was away checks whether it arrived.
      let (age, overflow) = now.subtractingReportingOverflow(event.createdAt)
      guard !overflow, age > Self.latestCopy, !home.engine.pendingRequests.contains(where: { $0.eventID == event.id }) else {
        return nil
      }
      // A relay that keeps requests brings them again at each subscription.
      guard origin.relay == nil else { return nil }
      return isHere ? .replayHere : .replay
    case .wrongKind, .notAddressed, .notOurs, .stale, .undecryptable, .notARequest, .notPaired, .connectRefused, .pairingEnded,
      .overloaded, .justStarted:
      return nil
    }
  }

  /// Records the decision on a waiting request, and carries it out when the record is durable. The request leaves the vault after
  /// its answer. After a crash in between it is still there beside the recorded approval, and is not asked again.
  func carryOut(_ asked: Exchange, answering name: String, via channel: OwnerChannel? = nil, time: Int64? = nil) {
    let exchange = home.withHeading(asked)
    home.log.append(.decided(exchange, time: time ?? milliseconds(), via: channel)) { [self] result in
      workers.submitAlways { [self] in
        var answer = exchange.answer
        switch result {
        case .success: perform(exchange, nil)
        case .failure:
          if let unsaid = answer { home.engine.forgetAnswer(to: unsaid.eventID) }
          answer = nil
          refuse(exchange, nil)
        }
        guard endsPending(name, answer) else { return }
        home.signerEvents.tell(.requestEnded(name: name, approved: exchange.decision?.verdict == .allow))
      }
    }
  }

  // The signer may just have been locked; the request then waits again under its name. An answered request leaves the vault. A
  // digest with the answer stays for a short time, for an app that asks again.
  private func endsPending(_ name: String, _ answer: OwnerAnswer?) -> Bool {
    home.changingPairings {
      guard home.engine.pendingRequest(name) == nil else {
        if let answer { home.engine.forgetAnswer(to: answer.eventID) }
        return false
      }
      home.endPending([name], keeping: answer.map { [$0] } ?? [])
      return true
    }
  }

  /// Ends requests that nobody answered in time, tells their apps, and forgets old answers. Called during maintenance.
  package func dropExpired() {
    let now = milliseconds()
    for (request, exchange) in home.engine.takeExpired(now: now / 1000) {
      home.drop(request, "nobody answered in time")
      publish(home.engine.perform(exchange, now: now / 1000), exchange, nil) { _ in }
      home.signerEvents.tell(.requestEnded(name: request.name, approved: nil))
    }
    home.store.deleteAnswers(home.engine.expireAnswers(now: now / 1000))
    home.changingPairings { home.endPending() }
  }

  func perform(_ exchange: Exchange, _ origin: Origin?) {
    switch exchange.action {
    case .pair(let offer): pair(offer, exchange, origin)
    case .wait(let request), .waitStill(let request): keep(request, exchange, origin)
    case .leave: leave(exchange, origin)
    case .answer, .use:
      if exchange.decision?.rule == .queueFull {
        home.signerEvents.tell(.requestRefused(remoteSigner: exchange.channel.signer.publicKey))
      }
      answer(exchange, origin)
    }
  }

  /// Carries out requests that waited for the unlock and are allowed. Those that the owner must decide keep waiting.
  package func reconsider() { carryOut(home.engine.reconsider(now: seconds)) }

  /// Carries out requests that waited at one pairing and are now decided by its rules, because the owner has just changed them.
  /// - Returns: the names of those requests.
  package func reconsider(_ remoteSigner: PublicKey) -> [String] {
    carryOut(home.engine.reconsider(remoteSigner, now: seconds))
  }

  @discardableResult
  private func carryOut(_ found: [SigningEngine.Reconsidered]) -> [String] {
    found.compactMap { reconsidered in
      switch reconsidered {
      case .decided(let name, let exchange):
        carryOut(exchange, answering: name)
        return name
      case .waits(let request):
        if store(waiting: request.name) { home.signerEvents.tell(.requestWaits(request)) }
        return nil
      }
    }
  }

  func publish(
    _ outcome: Outcome, _ exchange: Exchange, _ origin: Origin?, done: @escaping @Sendable (Bool) -> Void
  ) {
    for reply in outcome.replies {
      publishing.send(reply, origin, exchange.relays) { [meters, approved] taken in
        if exchange.decision?.rule == .ownerApproved {
          approved.note(taken ? .delivered : .undelivered, exchange.eventID)
        }
        meters.note { counters in
          if !taken {
            counters.unpublished += 1
          } else if let origin {
            counters.latency.observe(Clock.monotonicNanoseconds &- origin.arrived)
          }
        }
        done(taken)
      }
    }
  }

  // MARK: what changes the store

  private func pair(_ offer: PairingOffer, _ exchange: Exchange, _ origin: Origin?) {
    let isStored = home.changingPairings {
      // The identity may have been deleted while the link was being used.
      guard home.has(offer.pairing.identity) else {
        _ = home.store.retire([offer.link])
        _ = home.engine.end(offer.link, now: seconds)
        return false
      }
      guard home.save(offer) else { return false }
      home.confirm(offer)
      return true
    }
    guard isStored else { return refuse(exchange, origin) }
    answer(exchange, origin)
    takeHeld(offer, origin)
    home.signerEvents.tell(.clientsChanged)
  }

  // Store the request as it waits now: the app may have asked again, and another worker may have been faster. If the owner
  // answered or the app was revoked in the meantime, nothing waits any more.
  private func keep(_ request: PendingRequest, _ exchange: Exchange, _ origin: Origin?) {
    guard store(waiting: request.name) else { return refuse(exchange, origin) }
    guard let waiting = home.engine.pendingRequest(request.name) else {
      home.store.deletePending([request.name])
      return
    }
    if case .wait = exchange.action { home.signerEvents.tell(.requestWaits(waiting)) }
    guard let authURL else { return }
    for reply in home.engine.authURL(authURL, for: exchange, now: seconds) {
      publishing.send(reply, origin, exchange.relays) { _ in }
    }
  }

  private func store(waiting name: String) -> Bool {
    home.changingPairings {
      guard let waiting = home.engine.pendingRequest(name) else { return true }
      return home.store(waiting)
    }
  }

  // The app is told first. The pairing ends when a relay has accepted the answer; otherwise the app may try again.
  private func leave(_ exchange: Exchange, _ origin: Origin?) {
    guard !home.isUnsure else { return refuse(exchange, origin) }
    answer(exchange, origin) { [self] taken in
      guard taken else { return }
      workers.submitAlways { [self] in home.expel(exchange.channel.signer.publicKey, by: .app) }
    }
  }
}
