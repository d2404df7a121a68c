/// A token bucket: so many at once, so many a second after that.
public struct RateLimit: Hashable, Sendable {
  /// The most that may come at once.
  public let burst: Int
  /// How many are added each second.
  public let perSecond: Int

  /// - Parameter burst: 1 or more.
  public init(burst: Int, perSecond: Int) { (self.burst, self.perSecond) = (burst, perSecond) }

  /// A paired app under full trust: more than any real one sends, and a bound on what a broken one costs.
  public static let pairedClient = RateLimit(burst: 20_000, perSecond: 4_000)
  /// Under medium trust: at once what an app decrypts when it opens, then what people do.
  public static let mediumTrust = RateLimit(burst: 10_000, perSecond: 50)
  /// Under low trust.
  public static let lowTrust = RateLimit(burst: 2_000, perSecond: 20)

  /// The rate of a paired app under that trust.
  public static func pairedClient(_ trust: TrustLevel) -> RateLimit {
    switch trust {
    case .full: pairedClient
    case .medium: mediumTrust
    case .low: lowTrust
    }
  }

  /// What such an app hears of requests beyond that, or beyond what can be remembered.
  public static let tooMany = RateLimit(burst: 20, perSecond: 5)
  /// Everybody else who sends events to one of our keys. Only a connect request is useful there.
  public static let strangers = RateLimit(burst: 60, perSecond: 10)
  /// One stranger, beside the limit for all strangers together.
  public static let oneStranger = RateLimit(burst: 10, perSecond: 1)
  /// Answers to an app whose pairing ended: what it had under way, and one a second after that.
  public static let formerApp = RateLimit(burst: 60, perSecond: 1)
  /// Events in its name whose signature does not hold, or that it sent before: so many are looked at. They use up none of its answers;
  /// a relay that sends more keeps it from being heard as long as it does.
  public static let formerAppForgeries = RateLimit(burst: 2_000, perSecond: 200)
  /// Events in a paired app's name whose signature does not hold: so many are looked at. Not fewer than the app's own, because
  /// beyond it the app is not heard either where a relay passes forgeries on.
  public static let forgeries = pairedClient
}

/// The tokens left of one `RateLimit`. A clock that goes back adds nothing and takes nothing.
struct TokenBucket: Sendable {
  private var limit: RateLimit
  private var tokens: Int
  private var filledAt: Int64

  init(_ limit: RateLimit, now: Int64) { (self.limit, tokens, filledAt) = (limit, limit.burst, now) }

  /// The remaining tokens stay, up to the new limit.
  mutating func change(to limit: RateLimit) { (self.limit, tokens) = (limit, min(tokens, limit.burst)) }

  /// - Parameter now: seconds since 1970.
  /// - Returns: whether there was a token; it is gone then.
  mutating func take(now: Int64) -> Bool {
    guard hasTokens(now: now) else { return false }
    tokens -= 1
    return true
  }

  /// Whether there is a token; it stays.
  mutating func hasTokens(now: Int64) -> Bool {
    if now > filledAt {
      let seconds = min(now - filledAt, 86_400)
      tokens = min(limit.burst, tokens + Int(seconds) * limit.perSecond)
    }
    filledAt = now
    return tokens > 0
  }

  /// Whether nothing of it is used up.
  func isFull(now: Int64) -> Bool {
    var filled = self
    _ = filled.hasTokens(now: now)
    return filled.tokens >= limit.burst
  }
}

/// A number of events in one hour of the clock, each of which is recorded.
public struct HourlyLimit: Sendable {
  /// How often one app is told that its clock is wrong. A relay that kept months of an app's requests can send all of them again.
  static let clockErrors = 60

  private var hour = Int64.min
  private var taken = 0

  /// Nothing taken yet.
  public init() {}

  /// - Parameters:
  ///   - limit: how many there may be.
  ///   - now: seconds since 1970.
  /// - Returns: whether there was one left in this hour; it is taken then.
  public mutating func take(_ limit: Int, now: Int64) -> Bool {
    if now / 3600 != hour { (hour, taken) = (now / 3600, 0) }
    guard taken < limit else { return false }
    taken += 1
    return true
  }
}
