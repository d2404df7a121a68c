import Curve

/// Limits how many events one of our keys accepts, and from whom.
///
/// Only new events of the key's app, paired or not any more, use up its rate. Events that are forged in its name, and old ones that a
/// relay sends again, have a limit of their own.
/// Each stranger has a small share, so that one cannot keep all others from a link. Somebody who makes a new key for each event
/// can still use up the strangers' common share, which refills within seconds.
struct ServedKeyRates {
  /// Strangers that are counted one by one at a key. With that many active, further ones share the remaining tokens.
  static let countedStrangers = 64
  /// How long an author other than the key's app waits for a second answer, in seconds.
  static let answerPause: Int64 = 60

  private var client: TokenBucket
  private var forgeries: TokenBucket
  private var tooMany: TokenBucket
  private var strangers: TokenBucket
  private var each: [PublicKey: TokenBucket] = [:]
  /// When each of at most `countedStrangers` was answered last.
  private var answered: [PublicKey: Int64] = [:]

  /// - Parameters:
  ///   - isEnded: whether the key's app is not paired any more.
  ///   - trust: of the app that is, or will be.
  init(isEnded: Bool = false, trust: TrustLevel = .full, now: Int64) {
    client = TokenBucket(isEnded ? .formerApp : .pairedClient(trust), now: now)
    forgeries = TokenBucket(isEnded ? .formerAppForgeries : .forgeries, now: now)
    tooMany = TokenBucket(.tooMany, now: now)
    strangers = TokenBucket(.strangers, now: now)
  }

  /// The app's trust was changed.
  mutating func setTrust(_ trust: TrustLevel) { client.change(to: .pairedClient(trust)) }

  /// Whether an event that names the key's app, paired now or before, as its author may be checked. Takes no token.
  mutating func mayLook(isVerified: Bool, now: Int64) -> Bool {
    client.hasTokens(now: now) && (isVerified || forgeries.hasTokens(now: now))
  }

  /// An event of the key's app is new, and its signature holds.
  mutating func verified(now: Int64) -> Bool { client.take(now: now) }

  /// An event in the name of the key's app was forged, or is an old one that somebody sent again.
  mutating func forged(now: Int64) { _ = forgeries.take(now: now) }

  /// Whether the key's app may get the error that it asks too much. Counts that error.
  mutating func tellTooMany(now: Int64) -> Bool { tooMany.take(now: now) }

  /// Whether somebody who is not the key's app was answered within the last minute.
  func isAnswered(_ author: PublicKey, now: Int64) -> Bool {
    answered[author].map { (0..<Self.answerPause).contains(now - $0) } ?? false
  }

  /// Whether this author may be answered. Counts the answer. With many at once, the last ones get no answer.
  mutating func answer(_ author: PublicKey, now: Int64) -> Bool {
    guard !isAnswered(author, now: now) else { return false }
    if answered.count >= Self.countedStrangers {
      answered = answered.filter { (0..<Self.answerPause).contains(now - $0.value) }
    }
    guard answered[author] != nil || answered.count < Self.countedStrangers else { return false }
    answered[author] = now
    return true
  }

  /// Whether a stranger may be heard.
  mutating func mayPass(_ author: PublicKey, now: Int64) -> Bool {
    if var own = each[author] {
      let mayPass = own.take(now: now)
      each[author] = own
      return mayPass && strangers.take(now: now)
    }
    guard strangers.take(now: now) else { return false }
    if each.count >= Self.countedStrangers { each = each.filter { !$0.value.isFull(now: now) } }
    if each.count < Self.countedStrangers {
      var own = TokenBucket(.oneStranger, now: now)
      _ = own.take(now: now)
      each[author] = own
    }
    return true
  }
}
