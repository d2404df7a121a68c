import HTTPClient
import WebPush

/// Decides when each wake is sent, and sent again. No I/O and no clock: times are milliseconds of a clock that never goes back.
struct WakeQueue {
  /// How many wakes there may be.
  struct Limits: Sendable {
    /// Wakes that wait or are being sent. Each holds 4 KB at most.
    var waiting = 4_096
    /// Wakes that are being sent.
    var inFlight = 100
    /// Wakes that are being sent to one host, so that one that does not answer leaves room for the others. Nil for no limit.
    var perHost: Int?
  }

  /// Attempts for one wake. One that only needed another provider token, or lost its connection to another's time-out, counts once.
  static let maximumAttempts = 5
  /// The pause before another attempt, in milliseconds. Each further pause is four times as long. Half of it is left to chance.
  static let firstPause: Int64 = 500
  /// How long a wake is of use, in milliseconds.
  static let useful = Wake.usefulSeconds * 1_000

  /// One attempt.
  struct Attempt: Sendable {
    let id: UInt64
    let wake: Wake
    /// Whether a connection that stands may be dead.
    let needsNewConnection: Bool
  }

  private struct Entry {
    let wake: Wake
    let until: Int64
    var attempts = 0
    var isInFlight = false
    var began: Int64 = 0
    var hasNewToken = false
    var needsNewConnection = false
  }

  private struct Delayed {
    let id: UInt64
    let due: Int64
  }

  private let limits: Limits
  private var entries: [UInt64: Entry] = [:]
  private var nextID: UInt64 = 0
  /// Those to send now, the oldest first.
  private var ready: [UInt64] = []
  /// Those to send later, the next one last.
  private var delayed: [Delayed] = []
  private var inFlight = 0
  private var hosts: [String: Int] = [:]

  init(_ limits: Limits) { self.limits = limits }

  /// How many wakes wait or are being sent.
  var count: Int { entries.count }

  /// When something is to be done next. Nil when that depends on answers only.
  var nextDue: Int64? { delayed.last?.due }

  /// - Parameter delay: how much later it is sent, in milliseconds.
  /// - Returns: false when too many wait.
  mutating func add(_ wake: Wake, now: Int64, after delay: Int64 = 0) -> Bool {
    guard entries.count < limits.waiting else { return false }
    nextID += 1
    entries[nextID] = Entry(wake: wake, until: now + Self.useful)
    if delay > 0 { put(nextID, off: now + delay) } else { ready.append(nextID) }
    return true
  }

  private mutating func put(_ id: UInt64, off due: Int64) {
    var (low, high) = (0, delayed.count)
    while low < high {
      let middle = (low + high) / 2
      if delayed[middle].due > due { low = middle + 1 } else { high = middle }
    }
    delayed.insert(Delayed(id: id, due: due), at: low)
  }

  /// The wakes to send now, and those whose time is over. Each of the former is being sent until `settle` is called for it.
  mutating func takeDue(now: Int64) -> (send: [Attempt], late: [Wake]) {
    while let next = delayed.last, next.due <= now { ready.append(delayed.removeLast().id) }
    var (send, late, left): ([Attempt], [Wake], [UInt64]) = ([], [], [])
    for (place, id) in ready.enumerated() {
      guard let entry = entries[id] else { continue }
      if entry.until <= now {
        entries[id] = nil
        late.append(entry.wake)
      } else if inFlight >= limits.inFlight {
        // Nothing more goes out, and those behind it came later: each is looked at when there is room.
        left += ready[place...]
        break
      } else if mayBegin(entry.wake) {
        send.append(begin(id, entry, now))
      } else {
        left.append(id)
      }
    }
    ready = left
    return (send, late)
  }

  private func mayBegin(_ wake: Wake) -> Bool {
    guard let most = limits.perHost, let host = wake.target.host else { return true }
    return hosts[host] ?? 0 < most
  }

  private mutating func begin(_ id: UInt64, _ entry: Entry, _ now: Int64) -> Attempt {
    var entry = entry
    entry.isInFlight = true
    entry.attempts += 1
    entry.began = now
    entries[id] = entry
    inFlight += 1
    if let host = entry.wake.target.host { hosts[host, default: 0] += 1 }
    return Attempt(id: id, wake: entry.wake, needsNewConnection: entry.needsNewConnection)
  }

  private mutating func end(_ id: UInt64) {
    guard let entry = entries[id], entry.isInFlight else { return }
    entries[id]?.isInFlight = false
    inFlight -= 1
    guard let host = entry.wake.target.host else { return }
    let count = (hosts[host] ?? 0) - 1
    hosts[host] = count > 0 ? count : nil
  }

  /// When the attempt that is under way began.
  func began(_ id: UInt64) -> Int64? { entries[id].flatMap { $0.isInFlight ? $0.began : nil } }

  /// Takes the result of an attempt.
  /// - Parameter chance: 0 up to, not including, 1.
  /// - Returns: the wake, and whether it is over; nil for an attempt that was given up before.
  mutating func settle(_ id: UInt64, _ outcome: WakeOutcome, now: Int64, chance: Double) -> (wake: Wake, isOver: Bool)? {
    guard let entry = entries[id], entry.isInFlight else { return nil }
    end(id)
    guard let pause = pause(after: outcome, entry, chance), now + pause < entry.until else {
      entries[id] = nil
      return (entry.wake, true)
    }
    entries[id]?.hasNewToken = entry.hasNewToken || outcome == .tokenExpired
    if case .failed = outcome { entries[id]?.needsNewConnection = true }
    if pause == 0 { ready.insert(id, at: 0) } else { put(id, off: now + pause) }
    return (entry.wake, false)
  }

  /// Has all wakes that are being sent sent again at once: their connection is given up.
  mutating func giveUpAttempts() {
    let lost = entries.filter(\.value.isInFlight).keys.sorted()
    for id in lost {
      end(id)
      entries[id]?.attempts -= 1  // the connection failed, not the wake
    }
    ready.insert(contentsOf: lost, at: 0)
  }

  /// Milliseconds until the next attempt; nil when there is none.
  private func pause(after outcome: WakeOutcome, _ entry: Entry, _ chance: Double) -> Int64? {
    guard entry.attempts < Self.maximumAttempts else { return nil }
    switch outcome {
    case .tokenExpired: return entry.hasNewToken ? nil : 0
    case .later(_, let seconds):
      guard seconds < Wake.usefulSeconds else { return nil }
      return seconds * 1_000 + Self.backOff(entry.attempts, chance)
    case .failed(.timedOut): return 0  // it has waited long enough
    case .failed(.brokenOff): return entry.attempts == 1 ? 0 : Self.backOff(entry.attempts, chance)
    case .failed(.unresolved), .failed(.unreachable), .failed(.noTLS): return Self.backOff(entry.attempts, chance)
    default: return nil
    }
  }

  private static func backOff(_ attempts: Int, _ chance: Double) -> Int64 {
    var full = firstPause
    for _ in 1..<max(1, attempts) { full *= 4 }
    return full / 2 + Int64(Double(full / 2) * chance)
  }
}

extension PushTarget {
  /// The host that is posted to; nil for Apple's.
  var host: String? { endpoint?.host }
}
