import AuditLog
import Curve
import Platform
import RemoteSigning

/// Decides which of an app's requests get their own log entry, so that no app fills the log.
final class LogAllowance: Sendable {
  enum Verdict {
    case recorded
    /// Answered at once, and counted with others of its kind in one entry a minute.
    case gathered
    /// Answered with an error: the app's share of the log is used up.
    case refused
  }

  /// How often an app may still log out in one hour when its share is used up. Its pairing ends when a relay has accepted the
  /// answer. If that is the app's own relay, which accepts nothing, the app could log out without end.
  static let leavingsPerHour = 12

  private let gathered = GatheredRequests()
  private let leavings = Locked<[PublicKey: HourlyLimit]>([:])
  private let shares: LogQuotas

  init(_ shares: LogQuotas) { self.shares = shares }

  func verdict(on exchange: Exchange) -> Verdict {
    if exchange.isKeyless, !gathered.isFirst(exchange) { return .gathered }
    return hasRoom(for: exchange) ? .recorded : .refused
  }

  /// Reserves space for the entries of a request, on a thread that must not wait for the disk.
  /// - Returns: false when a `verdict` is needed; nothing was reserved then.
  func recordsAtOnce(_ exchange: Exchange) -> Bool {
    guard !exchange.isKeyless, let trust = exchange.trust else { return false }
    return shares.takeAtOnce(exchange.channel.signer.publicKey, trust, now: Clock.boot)
  }

  // An app can log out even when its share is used up.
  private func hasRoom(for exchange: Exchange) -> Bool {
    guard let trust = exchange.trust else { return true }
    let (app, now) = (exchange.channel.signer.publicKey, Clock.boot)
    if shares.take(app, trust, now: now) { return true }
    guard case .leave = exchange.action else { return false }
    return leavings.withLock { $0[app, default: HourlyLimit()].take(Self.leavingsPerHour, now: now) }
  }

  /// Records the counts since the last call, and forgets the shares of apps that are no longer paired.
  /// - Parameters:
  ///   - apps: the keys by which the signer communicates with each app.
  ///   - time: milliseconds since 1970.
  func settle(in log: AuditLog, apps: Set<PublicKey>, time: Int64) {
    gathered.record(in: log, time: time)
    shares.keep(apps)
    leavings.withLock { $0 = $0.filter { apps.contains($0.key) } }
  }
}
