import APNs

/// The token for Apple's service, which proxies with the same key have in common: see `ProviderToken.sealed`.
extension PostgresConnection {
  /// Has the token be the stored one, and stores a new one in time.
  /// - Parameters:
  ///   - clock: the database's time, in seconds since 1970.
  ///   - now: this machine's.
  func share(_ token: ProviderToken, clock: Int64, now: Int64) throws(RegistrationsError) {
    let stored = try secret(token.storedName)
    if let stored, token.adopt(stored, clock: clock, now: now) || ProviderToken.serves(stored, clock: clock) { return }
    // Apple refuses a token whose date is wrong: who has a wrong clock makes none for others.
    guard Self.isSame(clock, now), let made = try? token.sealed(at: clock, now: now) else { return }
    // Of several proxies that replace the same token, the first counts.
    try write(
      "INSERT INTO secrets (name, secret) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET secret = ?2 WHERE secrets.secret = ?3",
      .text(token.storedName), .bytes(made), .bytes(stored ?? []))
    if let counts = try secret(token.storedName) { _ = token.adopt(counts, clock: clock, now: now) }
  }

  /// How far this machine's clock may be from the database's, in seconds, for a token that all use.
  private static let mostApart: Int64 = 300

  private static func isSame(_ clock: Int64, _ now: Int64) -> Bool {
    let (apart, isTooFar) = clock.subtractingReportingOverflow(now)
    return !isTooFar && (-mostApart...mostApart).contains(apart)
  }
}
