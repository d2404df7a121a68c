import Encodings
import Platform

/// Decides which pushes start a wake. No I/O and no clock: times are milliseconds of a clock that never goes back.
struct PushInbox {
  /// How much whoever knows the subscription may cause.
  struct Limits {
    /// Messages that are decrypted.
    var reading = TokenBucket.Rate(perSecond: 10, burst: 120)
    /// Wakes that are started.
    var waking = TokenBucket.Rate(perSecond: 1, burst: 60)
    /// Wakes that wait.
    var waiting = 64
    /// How long a request is known, in milliseconds. Apps wait about a minute, and relays keep requests for some.
    var remembering: Int64 = 600_000
    /// The most requests that are known.
    var remembered = 4_096
  }

  enum Verdict: Equatable {
    case wake
    /// It was taken before.
    case known
    case tooMany
  }

  private let limits: Limits
  private var reading: TokenBucket
  private var waking: TokenBucket
  /// When each known request came, the oldest first. Those that wait are known, too.
  private var known: [Bytes32: Int64] = [:]
  private var waiting: Set<Bytes32> = []

  init(_ limits: Limits = Limits(), now: Int64) {
    self.limits = limits
    (reading, waking) = (TokenBucket(limits.reading, now: now), TokenBucket(limits.waking, now: now))
  }

  /// Whether a message is read at all.
  mutating func mayRead(now: Int64) -> Bool { reading.take(limits.reading, now: now) }

  mutating func take(_ request: Bytes32, now: Int64) -> Verdict {
    if known[request] != nil { return .known }
    if known.count >= limits.remembered {
      known = known.filter { now - $0.value < limits.remembering || waiting.contains($0.key) }
    }
    guard waiting.count < limits.waiting, known.count < limits.remembered, waking.take(limits.waking, now: now) else {
      return .tooMany
    }
    note(request, now: now)
    return .wake
  }

  /// A request that waited when the last listener ended.
  mutating func note(_ request: Bytes32, now: Int64) {
    known[request] = now
    waiting.insert(request)
  }

  /// Its wake is over.
  /// - Parameter isForgotten: whether another push for it may start another wake.
  mutating func end(_ request: Bytes32, isForgotten: Bool) {
    waiting.remove(request)
    if isForgotten { known[request] = nil }
  }
}
