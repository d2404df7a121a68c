/// Limits how many envelopes are opened. Opening one takes two decryptions, and anybody who knows an npub can send as many as
/// they like.
struct EnvelopeLimiter: Sendable {
  /// How many may be opened at once after a quiet time.
  static let most = 2_000
  /// How many may be opened in a second when more keep coming.
  static let perSecond: Int64 = 20

  private var left = most
  private var since: Int64 = 0

  /// - Parameter now: milliseconds by a clock that nobody can set.
  /// - Returns: whether one more may be opened.
  mutating func take(at now: Int64) -> Bool {
    let grown = max(0, now - since) * Self.perSecond / 1000
    if grown > 0 {
      left = Int(min(Int64(Self.most), Int64(left) + grown))
      since = now
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
