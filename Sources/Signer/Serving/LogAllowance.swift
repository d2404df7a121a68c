internal import AuditLog
internal import Curve
internal import Platform
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

  /// How often an app whose share is used up may still say that it leaves, in one hour. Its pairing ends once a relay took the answer: where
  /// that is its own relay, which takes none, it can say so without end.
  static let leavingsPerHour = 12

  private let gathered = GatheredRequests()
  private let leavings = Locked<[PublicKey: HourlyLimit]>([:])
  private let shares: LogQuotas

  init(_ shares: LogQuotas) { self.shares = shares }

  func verdict(on exchange: Exchange) -> Verdict {
    if exchange.isKeyless, !gathered.isFirst(exchange) { return .gathered }
    return hasRoom(for: exchange) ? .recorded : .refused
  }

  /// Takes room for the entries of a request, for a thread that may not wait for the disk.
  /// - Returns: false when that needs a `verdict`; then nothing was taken.
  func recordsAtOnce(_ exchange: Exchange) -> Bool {
    guard !exchange.isKeyless, let trust = exchange.trust else { return false }
    return shares.takeAtOnce(exchange.channel.signer.publicKey, trust, now: Clock.boot)
  }

  // An app can leave though its share is used up.
  private func hasRoom(for exchange: Exchange) -> Bool {
    guard let trust = exchange.trust else { return true }
    let (app, now) = (exchange.channel.signer.publicKey, Clock.boot)
    if shares.take(app, trust, now: now) { return true }
    guard case .leave = exchange.action else { return false }
    return leavings.withLock { $0[app, default: HourlyLimit()].take(Self.leavingsPerHour, now: now) }
  }

  /// Writes down what was gathered since the last call, and forgets the shares of apps that are gone.
  /// - Parameters:
  ///   - apps: the keys by which the signer speaks to each.
  ///   - time: milliseconds since 1970.
  func settle(in log: AuditLog, apps: Set<PublicKey>, time: Int64) {
    gathered.record(in: log, time: time)
    shares.keep(apps)
    leavings.withLock { $0 = $0.filter { apps.contains($0.key) } }
  }
}
