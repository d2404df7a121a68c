import AuditLog
package import Curve
import RemoteSigning

extension SigningService {
  /// Takes the owner's answer to a waiting request: records it, then carries it out.
  /// - Parameter key: for an identity that requires presence, its key for this one use.
  /// - Returns: false when no such request waits, or when it keeps waiting because its key is missing.
  package func answer(_ name: String, approve: Bool, key: KeyPair? = nil, via channel: OwnerChannel) -> Bool {
    let now = milliseconds()
    guard let exchange = home.engine.answerPending(name, approve: approve, key: key, now: now / 1000) else { return false }
    if approve { approved.begin(name, exchange.eventID) }
    carryOut(exchange, answering: name, via: channel, time: now)
    return true
  }

  /// Notes whether what the owner approved could be done.
  /// - Parameters:
  ///   - asked: the exchange as it was approved.
  ///   - error: why it was refused after that; nil to take it from the outcome.
  func noteApproved(_ asked: Exchange, _ exchange: Exchange, _ outcome: Outcome, _ error: AuditErrorCode?) {
    guard asked.decision?.rule == .ownerApproved else { return }
    let failure = AuditEntry.done(exchange, outcome, time: 0, error: error).error
    approved.note(failure.map { .failed($0) } ?? .done, asked.eventID)
  }
}
