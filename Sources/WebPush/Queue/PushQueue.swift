import HTTPClient

/// Decides when each browser is sent which notice. No I/O and no clock: times are milliseconds of a clock that never goes back.
///
/// Each browser has at most one pending message of each notice. A second one that comes meanwhile is merged with it.
struct PushQueue {
  /// How long requests are collected before the first message about them, in milliseconds, so that a burst causes one message.
  static let gathering: Int64 = 400
  /// The time between two messages about waiting requests, in milliseconds, while requests keep waiting.
  static let quiet: Int64 = 30_000
  /// The same, when the owner has answered all requests in between.
  static let shortQuiet: Int64 = 3_000
  /// Attempts for one message.
  static let maximumAttempts = 4
  /// The first pause before another attempt, in milliseconds. Each further pause is four times as long.
  static let firstPause: Int64 = 5_000
  /// The longest delay that a push service may ask for, in seconds. With a longer one the message is dropped.
  static let longestRetryAfter: Int64 = 900

  struct Key: Hashable, Sendable {
    let id: String
    let notice: PushNotice
  }

  private struct Slot {
    var due: Int64
    var attempts = 0
    var isInFlight = false
    /// Whether it was requested again while it was being sent.
    var isWantedAgain = false
  }

  private var slots: [Key: Slot] = [:]
  /// When each browser was last told about waiting requests.
  private var lastTold: [String: Int64] = [:]
  private var spacing = PushQueue.quiet

  /// Whether nothing is to be sent, now or later.
  var isEmpty: Bool { slots.isEmpty }

  /// When the next message is due; nil when none waits.
  var nextDue: Int64? { slots.values.filter { !$0.isInFlight }.map(\.due).min() }

  /// Requests a message.
  mutating func want(_ notice: PushNotice, for id: String, now: Int64) {
    let key = Key(id: id, notice: notice)
    guard slots[key] == nil else {
      if slots[key]?.isInFlight ?? false { slots[key]?.isWantedAgain = true }
      return
    }
    slots[key] = Slot(due: due(notice, id, now))
  }

  private func due(_ notice: PushNotice, _ id: String, _ now: Int64) -> Int64 {
    guard notice == .waiting else { return now }
    return max(now + Self.gathering, lastTold[id].map { $0 + spacing } ?? now)
  }

  /// Notes that nothing waits for the owner. The next request is news again.
  mutating func nothingWaits() { spacing = Self.shortQuiet }

  /// The messages to send now. Each is being sent until `settle` is called for it.
  mutating func takeDue(now: Int64) -> [Key] {
    let due = slots.filter { !$0.value.isInFlight && $0.value.due <= now }.keys
    for key in due {
      slots[key]?.isInFlight = true
      slots[key]?.attempts += 1
    }
    return Array(due)
  }

  /// Drops a message that is no longer true.
  mutating func drop(_ key: Key) { slots[key] = nil }

  /// Drops all messages for a browser that will not be notified again.
  mutating func drop(_ id: String) {
    for notice in PushNotice.allCases { slots[Key(id: id, notice: notice)] = nil }
    lastTold[id] = nil
  }

  /// Takes the result of a message.
  /// - Returns: whether the message is finished; false when it is tried again.
  mutating func settle(_ key: Key, _ outcome: PushOutcome, now: Int64) -> Bool {
    guard let slot = slots[key] else { return true }  // already dropped
    if outcome == .delivered, key.notice == .waiting { (lastTold[key.id], spacing) = (now, Self.quiet) }
    if let pause = Self.pause(after: outcome, attempts: slot.attempts) {
      slots[key]?.isInFlight = false
      slots[key]?.due = now + pause
      return false
    }
    slots[key] = nil
    if slot.isWantedAgain, outcome != .gone { want(key.notice, for: key.id, now: now) }
    return true
  }

  /// Milliseconds until the next attempt; nil when there is none.
  private static func pause(after outcome: PushOutcome, attempts: Int) -> Int64? {
    guard attempts < maximumAttempts else { return nil }
    var pause = firstPause
    for _ in 1..<max(1, attempts) { pause *= 4 }
    switch outcome {
    case .delivered, .gone, .refused: return nil
    case .failed(let error): return mayPass(error) ? pause : nil
    case .later(_, let seconds): return seconds > longestRetryAfter ? nil : max(pause, seconds * 1000)
    }
  }

  /// Whether another attempt may succeed a little later.
  private static func mayPass(_ error: HTTPClientError) -> Bool {
    switch error {
    case .unresolved, .unreachable, .timedOut, .brokenOff, .noTLS: true
    default: false
    }
  }
}
