import Encodings

/// When each waiting wake is started, and started again. No I/O and no clock: times are milliseconds of a clock that never goes back.
///
/// The signer's keys take turns: each app has a key of its own, so an app that asks for many wakes, or slow ones, delays another by one.
struct WakeQueue {
  /// How long a wake is tried, in milliseconds: apps wait about a minute for an answer.
  static let useful: Int64 = 60_000
  /// The pause before another attempt, in milliseconds. Each further pause is three times as long.
  static let firstPause: Int64 = 1_000

  private struct Entry {
    let request: Bytes32
    let signer: Bytes32
    let came: Int64
    var due: Int64
    var attempts = 0
  }

  /// The oldest first.
  private var entries: [Entry] = []
  /// When a wake for each key that has entries ended last, counted in wakes.
  private var turns: [Bytes32: Int] = [:]
  private var wakes = 0

  var isEmpty: Bool { entries.isEmpty }

  /// When the next wake is due; nil when none waits.
  var nextDue: Int64? { entries.map(\.due).min() }

  mutating func add(_ push: PushedRequest, now: Int64) {
    entries.append(Entry(request: push.id, signer: push.signer, came: now, due: now))
  }

  /// The request to wake for now: the oldest of the key whose turn is the longest ago.
  func due(now: Int64) -> Bytes32? {
    let due = entries.filter { $0.due <= now }
    return due.min { turns[$0.signer, default: 0] < turns[$1.signer, default: 0] }?.request
  }

  /// Drops what no app waits for any more.
  mutating func dropOld(now: Int64) -> [Bytes32] {
    let old = entries.filter { now - $0.came > Self.useful }.map(\.request)
    if !old.isEmpty { keep { !old.contains($0.request) } }
    return old
  }

  /// Takes the result of an attempt.
  /// - Parameter isFinal: whether another attempt would change nothing.
  /// - Returns: whether the wake is over.
  mutating func settle(_ request: Bytes32, isFinal: Bool, now: Int64) -> Bool {
    guard let place = entries.firstIndex(where: { $0.request == request }) else { return true }
    var pause = Self.firstPause
    for _ in 0..<entries[place].attempts { pause *= 3 }
    wakes += 1
    turns[entries[place].signer] = wakes
    entries[place].attempts += 1
    entries[place].due = now + pause
    guard isFinal || now + pause - entries[place].came > Self.useful else { return false }
    keep { $0.request != request }
    return true
  }

  private mutating func keep(_ isKept: (Entry) -> Bool) {
    entries = entries.filter(isKept)
    let signers = Set(entries.map(\.signer))
    turns = turns.filter { signers.contains($0.key) }
  }
}
