import AuditLog
import Curve
import Nostr
import Platform
import Signer
import Sockets

/// Signs an identity's logins (NIP-42) at the relays of guardians' envelopes, and records them in the log. For each relay, the
/// first login of an hour is recorded before it is signed, and the others together. So no relay can fill the log with challenges.
final class GuardianLogins: Sendable {
  private struct Place: Hashable {
    let identity: PublicKey
    let relay: WebSocketURL
  }

  private struct Hour {
    let began: Int64
    var further = 0
  }

  /// How long further logins are counted before they are recorded together, in seconds.
  static let span: Int64 = 3_600

  private let log: AuditLog
  private let hours = Locked<[Place: Hour]>([:])

  init(_ log: AuditLog) { self.log = log }

  /// Called on the loop thread. The entry is in the log's file when this returns, but the file was not synced.
  /// - Parameter now: seconds by a clock that nobody can set.
  /// - Returns: nil if the login cannot be recorded. Then nothing is signed.
  func sign(_ login: UnsignedEvent, at relay: WebSocketURL, with key: KeyPair, now: Int64) -> Event? {
    let place = Place(identity: login.pubkey, relay: relay)
    if isFurther(place, now) { return try? login.signed(by: key) }
    do {
      try log.note(.guardianLogin(login))
      let signed = try login.signed(by: key)
      try log.note(.ownerSigned(signed))
      return signed
    } catch {
      hours.withLock { $0[place] = nil }
      return nil
    }
  }

  /// Records the logins that were counted in past hours. What cannot be recorded stays counted.
  /// - Parameter now: as for `sign`; nil records all.
  func record(now: Int64?) {
    let ended = hours.withLock { hours in
      let ended = hours.filter { _, hour in now.map { $0 - hour.began >= Self.span } ?? true }
      for place in ended.keys { hours[place] = nil }
      return ended
    }
    for (place, hour) in ended { record(hour, of: place) }
  }

  /// Whether a login of this hour is already recorded there. Then this one is counted; otherwise an hour begins.
  private func isFurther(_ place: Place, _ now: Int64) -> Bool {
    let (isFurther, ended) = hours.withLock { hours -> (Bool, Hour?) in
      if let hour = hours[place], now - hour.began < Self.span {
        hours[place]?.further += 1
        return (true, nil)
      }
      defer { hours[place] = Hour(began: now) }
      return (false, hours[place])
    }
    if let ended { record(ended, of: place) }
    return isFurther
  }

  private func record(_ hour: Hour, of place: Place) {
    guard hour.further > 0 else { return }
    log.append(.guardianLogins(of: place.identity, count: hour.further)) { [hours] result in
      guard case .failure = result else { return }
      hours.withLock { $0[place, default: Hour(began: hour.began)].further += hour.further }
    }
  }
}
