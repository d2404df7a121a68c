import AuditLog
import Platform
import RemoteSigning

/// Records links that were tried and refused. A stranger who knows a link's key can try it without end, so the log gets only a
/// few entries an hour.
final class RefusedLinks: Sendable {
  /// Recorded uses of spent links in one hour, and as many of wrong and expired ones.
  static let perHour = 12

  private let log: AuditLog
  private let signerEvents: SignerEvents
  private let counts = Locked<[DropReason: HourlyLimit]>([:])

  init(_ log: AuditLog, _ signerEvents: SignerEvents) { (self.log, self.signerEvents) = (log, signerEvents) }

  /// - Parameters:
  ///   - reason: why the request was refused. Only link errors are recorded. A spent link was very likely used by a second app,
  ///     which was told so, and the owner is notified.
  ///   - now: seconds since 1970.
  func note(_ reason: DropReason, now: Int64) {
    guard let words = Self.words(reason), counts.withLock({ $0[reason, default: HourlyLimit()].take(Self.perHour, now: now) })
    else { return }
    log.append(.event(.linkRefused, rule: words)) { _ in }
    if reason == .linkSpent { signerEvents.tell(.linkRefused) }
  }

  private static func words(_ reason: DropReason) -> AuditRule? {
    switch reason {
    case .linkSpent: "the link was used before"
    case .connectRefused: "a wrong secret, or an expired link"
    default: nil
    }
  }
}
