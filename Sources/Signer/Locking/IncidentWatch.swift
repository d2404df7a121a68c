internal import Encodings

/// From what was seen to what the owner hears: single signals are put together, so that nobody fills the log with them, and what
/// adds up to something critical is told at once. A plain value; time is a parameter, by a clock that nobody sets.
struct IncidentWatch: Sendable {
  /// Signals of one sort make at most one entry in so many seconds.
  static let quiet: Int64 = 600
  /// The most times and ids kept of one sort.
  static let mostKept = 128

  /// What is to be logged and told.
  struct Finding: Sendable, Equatable {
    let signal: IncidentSignal
    let severity: Incident.Severity
    /// How many signals it stands for.
    let count: Int
  }

  private struct Sort: Sendable {
    /// Seconds at which the last signals came, for those that can become critical.
    var times: [(second: Int64, id: Bytes32?)] = []
    /// Not told yet.
    var untold = 0
    var toldAt: Int64?
  }

  private var sorts: [IncidentSignal: Sort] = [:]

  /// Takes one signal.
  /// - Parameters:
  ///   - id: what it is about: the same thing again does not count towards something critical.
  ///   - isShut: everything is shut already: nothing is critical any more, and the disk is not written to each time.
  ///   - now: seconds.
  /// - Returns: what is to be told now; nil when it is told later, with others.
  mutating func note(_ signal: IncidentSignal, id: Bytes32? = nil, isShut: Bool = false, at now: Int64) -> Finding? {
    var sort = sorts[signal] ?? Sort()
    defer { sorts[signal] = sort }
    if sort.untold < .max { sort.untold += 1 }
    if !isShut, let critical = signal.critical, Self.isReached(critical, &sort, id, now) {
      sort.times = []
      return Self.tell(&sort, signal, .critical, now)
    }
    guard Self.isDue(sort, now) else { return nil }
    return Self.tell(&sort, signal, .minor, now)
  }

  /// What was held back and is due. Call it now and then.
  mutating func due(at now: Int64) -> [Finding] {
    IncidentSignal.allCases.compactMap { signal in
      guard var sort = sorts[signal], sort.untold > 0, Self.isDue(sort, now) else { return nil }
      defer { sorts[signal] = sort }
      return Self.tell(&sort, signal, .minor, now)
    }
  }

  private static func isReached(
    _ critical: (count: Int, seconds: Int64), _ sort: inout Sort, _ id: Bytes32?, _ now: Int64
  ) -> Bool {
    sort.times.removeAll { now - $0.second >= critical.seconds || (id != nil && $0.id == id) }
    if sort.times.count >= mostKept { sort.times.removeFirst() }
    sort.times.append((now, id))
    return sort.times.count >= critical.count
  }

  private static func isDue(_ sort: Sort, _ now: Int64) -> Bool { sort.toldAt.map { now - $0 >= quiet } ?? true }

  private static func tell(
    _ sort: inout Sort, _ signal: IncidentSignal, _ severity: Incident.Severity, _ now: Int64
  ) -> Finding {
    let count = sort.untold
    (sort.untold, sort.toldAt) = (0, now)
    return Finding(signal: signal, severity: severity, count: count)
  }
}
