import AuditLog
import Curve
import Platform
import RemoteSigning

/// From a recorded exchange to its answer.
extension SigningService {
  func answer(_ asked: Exchange, _ origin: Origin?, done: @escaping @Sendable (Bool) -> Void = { _ in }) {
    let exchange: Exchange
    var error: AuditErrorCode?
    switch home.reserve(asked, now: seconds) {
    case .go(let settled): exchange = settled
    case .taken: (exchange, error) = (asked.refusedAsTaken(), .signedBefore)
    case .tooManyAhead: (exchange, error) = (asked.refusedAsAhead(), .throttled)
    case .notStored: return refuse(asked, origin)
    }
    let answering = Answering(asked: asked, exchange: exchange, error: error, origin: origin, done: done)
    if let task = home.engine.jointTask(of: exchange, now: seconds) { return carryOutTogether(task, answering) }
    conclude(home.engine.perform(exchange, now: seconds), answering)
  }

  /// An exchange that is being answered.
  struct Answering: Sendable {
    let asked: Exchange
    /// With what was settled since: its time, or that it is refused.
    let exchange: Exchange
    let error: AuditErrorCode?
    let origin: Origin?
    /// Gets whether a relay took the answer.
    let done: @Sendable (Bool) -> Void
  }

  /// Records what was done, and then sends the answer.
  func conclude(_ outcome: Outcome, _ answering: Answering) {
    let (exchange, origin) = (answering.exchange, answering.origin)
    // Locked since the decision: it is recorded as waiting.
    if let waiting = outcome.postponed {
      approved.note(.failed(.locked), exchange.eventID)
      return carryOut(waiting, from: origin)
    }
    // It is in the log before it is sent: something that was signed and not recorded is never published.
    guard isNoted(.done(exchange, outcome, time: milliseconds(), error: answering.error)) else {
      approved.note(.failed(.storage), exchange.eventID)
      return sendNotRecorded(exchange, origin, done: answering.done)
    }
    noteApproved(answering.asked, exchange, outcome, answering.error)
    if exchange.decision?.rule == .ownerApproved, !outcome.failed { admit(exchange.channel.signer.publicKey) }
    send(outcome, exchange, origin, done: answering.done)
  }

  /// Sends an answer that is in the log.
  func send(
    _ outcome: Outcome, _ exchange: Exchange, _ origin: Origin?, done: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    meters.note { $0.count(outcome) }
    if let bytes = outcome.longAnswer { home.engine.noteLongAnswer(bytes, to: exchange, now: seconds) }
    publish(outcome, exchange, origin, done: done)
  }

  /// Tells the app that the log refused the record of its answer. The answer is dropped.
  func sendNotRecorded(_ exchange: Exchange, _ origin: Origin?, done: @escaping @Sendable (Bool) -> Void = { _ in }) {
    publish(notRecorded(exchange), exchange, origin, done: done)
  }

  /// - Returns: whether the entry is in the log's file.
  private func isNoted(_ entry: AuditEntry) -> Bool {
    do { try home.log.note(entry) } catch { return false }
    return true
  }

  /// The answer when the log or the vault could not record.
  func notRecorded(_ exchange: Exchange) -> Outcome {
    meters.note { counters in
      counters.unrecorded += 1
      if !home.isUnsure { counters.isUnrecordable = true }
    }
    return home.engine.refuseUnrecorded(exchange, now: seconds)
  }

  // Nothing was signed: a request that cannot be recorded is not carried out, and the app is told.
  func refuse(_ exchange: Exchange, _ origin: Origin?) {
    if case .pair(let offer) = exchange.action { home.engine.abandon(offer) }
    // If it has left the queue, the owner was faster, and that answer counts.
    if case .wait(let request) = exchange.action, home.engine.withdrawPending(request.name) == nil { return }
    let outcome = notRecorded(exchange)
    approved.note(.failed(.storage), exchange.eventID)
    // If only the vault failed, the intent is in the log and needs its outcome. If the log failed, this fails as well.
    _ = isNoted(.done(exchange, outcome, time: milliseconds(), error: .storage))
    publish(outcome, exchange, origin) { _ in }
    if case .pair(let offer) = exchange.action { takeHeld(offer, origin) }
  }
}
