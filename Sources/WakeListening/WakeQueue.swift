import Encodings

/// When each waiting wake is started, and started again. No I/O and no clock: times are milliseconds of a clock that never goes back.
struct WakeQueue {
  /// How long a wake is tried, in milliseconds: apps wait about a minute for an answer.
  static let useful: Int64 = 60_000
  /// The pause before another attempt, in milliseconds. Each further pause is three times as long.
  static let firstPause: Int64 = 1_000

  private struct Entry {
    let request: Bytes32
    let came: Int64
    var due: Int64
    var attempts = 0
  }

  /// The oldest first.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// When the next wake is due; nil when none waits.
  var nextDue: Int64? { entries.map(\.due).min() }

  mutating func add(_ request: Bytes32, now: Int64) { entries.append(Entry(request: request, came: now, due: now)) }

  /// The request to wake for now.
  func due(now: Int64) -> Bytes32? { entries.first { $0.due <= now }?.request }

  /// Takes the result of an attempt.
  /// - Parameter isFinal: whether another attempt would change nothing.
  /// - Returns: whether the wake is over.
  mutating func settle(_ request: Bytes32, isFinal: Bool, now: Int64) -> Bool {
    guard let place = entries.firstIndex(where: { $0.request == request }) else { return true }
    var pause = Self.firstPause
    for _ in 0..<entries[place].attempts { pause *= 3 }
    entries[place].attempts += 1
    entries[place].due = now + pause
    guard isFinal || now + pause - entries[place].came > Self.useful else { return false }
    entries.remove(at: place)
    return true
  }
}
