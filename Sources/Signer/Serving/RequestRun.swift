import AuditLog
import Nostr
import Platform
import RemoteSigning

extension SigningService {
  /// Records an exchange, and carries it out when the record is durable.
  /// - Parameter mayWait: false on the thread that owns the sockets.
  func carryOut(_ asked: Exchange, from origin: Origin?, mayWait: Bool = true) {
    let exchange = home.withHeading(asked)
    meters.note { $0.count(exchange) }
    let record = AuditEntry.decided(exchange, time: milliseconds())
    if home.canPrepare(exchange, now: seconds) {
      return RequestRun(exchange, origin, self).begin(record, mayWait: mayWait)
    }
    home.log.append(record) { [self] result in
      workers.submitAlways { [self] in
        switch result {
        case .success: perform(exchange, origin)
        case .failure: refuse(exchange, origin)
        }
      }
    }
  }
}

extension OpenedHome {
  /// Whether the answer can be prepared while the record is written. Events that replace earlier ones must be stored in the vault
  /// between the two steps.
  fileprivate func canPrepare(_ exchange: Exchange, now: Int64) -> Bool {
    guard case .use = exchange.action, exchange.answer == nil, let identity = exchange.identity else { return false }
    return exchange.template.map { SignedCoordinate.id(of: $0.unsigned(by: identity, now: now)) == nil } ?? true
  }
}

/// One request from its decision to its answer. The answer is prepared while the disk syncs the record, and is sent after the
/// record and the outcome. The thread that took the request prepares the answer; the thread that writes the log sends it.
private final class RequestRun: Sendable {
  private enum Step {
    case underWay
    /// The record is durable, and the answer is not ready yet.
    case recorded
    /// The answer waits for the record. Nil when only `perform` can make it.
    case made(Outcome?)
    case over
  }

  private let exchange: Exchange
  private let origin: SigningService.Origin?
  private let service: SigningService
  private let step = Locked(Step.underWay)

  init(_ exchange: Exchange, _ origin: SigningService.Origin?, _ service: SigningService) {
    (self.exchange, self.origin, self.service) = (exchange, origin, service)
  }

  func begin(_ record: AuditEntry, mayWait: Bool) {
    service.home.log.appendFollowed(record) { [self] result in written(result) }
    guard !mayWait else { return prepare(mayWait: true) }
    service.round.whenWritten { [self] in prepare(mayWait: false) }
  }

  private func prepare(mayWait: Bool) { made(service.home.engine.prepare(exchange, now: service.seconds), mayWait: mayWait) }

  /// The record is on the disk, or has failed. Called on the thread that writes the log.
  private func written(_ result: Result<UInt64, AuditLogError>) -> FollowUp? {
    guard case .success = result else {
      step.withLock { $0 = .over }
      service.workers.submitAlways { [self] in service.refuse(exchange, origin) }
      return nil
    }
    let made = step.withLock { step -> Outcome?? in
      guard case .made(let outcome) = step else {
        step = .recorded
        return nil
      }
      step = .over
      return outcome
    }
    return made.flatMap { outcome(of: $0) }
  }

  private func made(_ outcome: Outcome?, mayWait: Bool) {
    let isRecorded = step.withLock { step in
      switch step {
      case .underWay:
        step = .made(outcome)
        return false
      case .recorded:
        step = .over
        return true
      case .made, .over: return false
      }
    }
    guard isRecorded, let followUp = self.outcome(of: outcome) else { return }
    mayWait ? service.home.log.write(followUp) : service.home.log.note(followUp)
  }

  /// The record is durable. Writes the outcome before the answer is sent.
  /// - Returns: nil when the prepared answer may not be sent. It is then made again, by the current state.
  private func outcome(of made: Outcome?) -> FollowUp? {
    guard let made, service.home.engine.mayGiveOut(exchange, now: service.seconds) else {
      service.workers.submitAlways { [self] in service.perform(exchange, origin) }
      return nil
    }
    return FollowUp(.done(exchange, made, time: service.milliseconds())) { [self] isWritten in
      guard isWritten else { return service.workers.submitAlways { [self] in service.sendNotRecorded(exchange, origin) } }
      service.departures.add { [self] in service.send(made, exchange, origin) }
    }
  }
}
