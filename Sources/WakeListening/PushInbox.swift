import Encodings
import Platform

/// Decides which pushes start a wake. No I/O and no clock: times are milliseconds of a clock that never goes back.
struct PushInbox {
  /// How much whoever knows the subscription, or its address, may cause.
  ///
  /// Whether a message is genuine shows only after it was decrypted, which costs less than to receive it. So real ones spend nothing of
  /// what others may: only messages that start nothing are counted before they are read.
  struct Limits {
    /// Messages that start no wake: they cannot be decrypted, name no request, are known or too many.
    var futile = TokenBucket.Rate(perSecond: 500, burst: 1_000)
    /// Wakes that are started for one of the signer's keys: each app has its own.
    var waking = TokenBucket.Rate(perSecond: 1, burst: 60)
    /// Wakes that are started for all of them: whoever has the subscription can name any number of keys.
    var wakingInAll = TokenBucket.Rate(perSecond: 8, burst: 240)
    /// Wakes that wait for one key.
    var waiting = 16
    /// Wakes that wait for all of them.
    var waitingInAll = 128
    /// How long a request is known, in milliseconds. Apps wait about a minute, and relays keep requests for some.
    var remembering: Int64 = 600_000
    /// The most requests that are known, and the most keys that are counted.
    var remembered = 4_096
  }

  enum Verdict: Equatable {
    case wake
    /// It was taken before.
    case known
    case tooMany
  }

  private let limits: Limits
  private var futile: TokenBucket
  private var waking: TokenBuckets<Bytes32>
  private var wakingInAll: TokenBucket
  /// When each known request came, the oldest first. Those that wait are known, too.
  private var known: [Bytes32: Int64] = [:]
  /// The key that each waiting request is for.
  private var waiting: [Bytes32: Bytes32] = [:]

  init(_ limits: Limits = Limits(), now: Int64) {
    self.limits = limits
    waking = TokenBuckets(limits.waking, limit: limits.remembered)
    (futile, wakingInAll) = (TokenBucket(limits.futile, now: now), TokenBucket(limits.wakingInAll, now: now))
  }

  /// Whether a message is read at all.
  mutating func mayRead(now: Int64) -> Bool { futile.has(limits.futile, now: now) }

  /// A message started nothing.
  mutating func noteFutile(now: Int64) { _ = futile.take(limits.futile, now: now) }

  mutating func take(_ push: PushedRequest, now: Int64) -> Verdict {
    if known[push.id] != nil { return .known }
    if known.count >= limits.remembered {
      known = known.filter { now - $0.value < limits.remembering || waiting[$0.key] != nil }
    }
    guard waiting.count < limits.waitingInAll, waiting.values.count(where: { $0 == push.signer }) < limits.waiting,
      known.count < limits.remembered, waking.take(push.signer, now: now), wakingInAll.take(limits.wakingInAll, now: now)
    else { return .tooMany }
    note(push, now: now)
    return .wake
  }

  /// A request that waited when the last listener ended.
  mutating func note(_ push: PushedRequest, now: Int64) {
    known[push.id] = now
    waiting[push.id] = push.signer
  }

  /// Its wake is over.
  /// - Parameter isForgotten: whether another push for it may start another wake.
  mutating func end(_ request: Bytes32, isForgotten: Bool) {
    waiting[request] = nil
    if isForgotten { known[request] = nil }
  }
}
