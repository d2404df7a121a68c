internal import AuditLog
internal import Curve
internal import RemoteSigning

/// What of an app's requests gets an entry of its own, so that no app fills the log.
final class LogAllowance: Sendable {
  enum Verdict {
    case recorded
    /// Answered at once, and counted with others of its kind in one entry a minute.
    case gathered
    /// Answered with an error: the app's share of the log is used up.
    case refused
  }

  private let gathered = GatheredRequests()
  private let shares: LogShares

  init(_ shares: LogShares) { self.shares = shares }

  func verdict(on exchange: Exchange) -> Verdict {
    if exchange.isKeyless, !gathered.isFirst(exchange) { return .gathered }
    return hasRoom(for: exchange) ? .recorded : .refused
  }

  // Leaving is always recorded.
  private func hasRoom(for exchange: Exchange) -> Bool {
    guard let trust = exchange.trust else { return true }
    if case .leave = exchange.action { return true }
    return shares.take(exchange.channel.signer.publicKey, trust, now: Clock.boot)
  }

  /// Writes down what was gathered since the last call, and forgets the shares of apps that are gone.
  /// - Parameters:
  ///   - apps: the keys by which the signer speaks to each.
  ///   - time: milliseconds since 1970.
  func settle(in log: AuditLog, apps: Set<PublicKey>, time: Int64) {
    gathered.record(in: log, time: time)
    shares.keep(apps)
  }
}
