/// How many letters are opened: each costs two decryptions, and whoever knows an npub can send as many as he likes.
struct EnvelopeLimiter: Sendable {
  /// At once, after a time of quiet.
  static let most = 2_000
  /// In a second, for as long as it goes on.
  static let perSecond: Int64 = 20

  private var left = most
  private var since: Int64 = 0

  /// - Parameter now: milliseconds by a clock nobody sets.
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
