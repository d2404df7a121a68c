import Encodings

/// Decides what the owner is told about signals. Single signals are merged, so that nobody can fill the log with them. Signals
/// that together are critical are reported at once. A plain value; time is a parameter, by a clock that nobody can set.
struct IncidentWatch: Sendable {
  /// Signals of one kind make at most one log entry in this many seconds.
  static let quiet: Int64 = 600
  /// The most times and ids that are stored for one kind.
  static let mostKept = 128

  /// What to log and report.
  struct Finding: Sendable, Equatable {
    let signal: IncidentSignal
    let severity: Incident.Severity
    /// How many signals it stands for.
    let count: Int
    /// Where all of them came from; nil if it is not known, or several origins.
    var origin: AttemptOrigin?
  }

  private struct Sort: Sendable {
    /// The times of the last signals in seconds, for kinds that can become critical.
    var times: [(second: Int64, id: Bytes32?)] = []
    /// Signals that are not reported yet.
    var untold = 0
    /// When the first of these came.
    var untoldSince: Int64 = 0
    /// Where they came from.
    var origins: Set<AttemptOrigin?> = []
    var toldAt: Int64?
  }

  private var sorts: [IncidentSignal: Sort] = [:]

  /// Takes one signal.
  /// - Parameters:
  ///   - origin: where it came from; nil if that is not known.
  ///   - id: the subject. A repeated subject does not count towards a critical incident.
  ///   - isShut: everything is already suspended. Nothing is critical then, and not every signal is written to disk.
  ///   - now: seconds.
  /// - Returns: what to report now; nil when it is reported later, together with others.
  mutating func note(
    _ signal: IncidentSignal, from origin: AttemptOrigin? = nil, id: Bytes32? = nil, isShut: Bool = false, at now: Int64
  ) -> Finding? {
    var sort = sorts[signal] ?? Sort()
    defer { sorts[signal] = sort }
    if sort.untold == 0 { sort.untoldSince = now }
    if sort.untold < .max { sort.untold += 1 }
    if sort.origins.count < Self.mostKept { sort.origins.insert(origin) }
    if !isShut, let critical = signal.critical, Self.isReached(critical, &sort, id, now) {
      sort.times = []
      return Self.tell(&sort, signal, .critical, now)
    }
    guard Self.isDue(sort, signal, now) else { return nil }
    return Self.tell(&sort, signal, .minor, now)
  }

  /// The owner has proved who is there: mistakes at the same place just before were the owner's own. They still count towards a critical
  /// incident.
  /// - Parameter place: where; nil if that is not known.
  mutating func forgive(_ signal: IncidentSignal, at place: AttemptOrigin.Place? = nil, _ now: Int64) {
    guard var sort = sorts[signal], Self.mayBeMistakes(sort, signal, now), sort.origins.allSatisfy({ $0?.place == place }) else {
      return
    }
    (sort.untold, sort.origins) = (0, [])
    sorts[signal] = sort
  }

  /// The signals that were held back and are due. Call it regularly.
  mutating func due(at now: Int64) -> [Finding] {
    IncidentSignal.allCases.compactMap { signal in
      guard var sort = sorts[signal], sort.untold > 0, Self.isDue(sort, signal, now) else { return nil }
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

  private static func isDue(_ sort: Sort, _ signal: IncidentSignal, _ now: Int64) -> Bool {
    guard !mayBeMistakes(sort, signal, now) else { return false }
    return sort.toldAt.map { now - $0 >= quiet } ?? true
  }

  /// Whether the signals that are not told yet are few and fresh.
  private static func mayBeMistakes(_ sort: Sort, _ signal: IncidentSignal, _ now: Int64) -> Bool {
    guard let mistakes = signal.mistakes else { return false }
    return sort.untold <= mistakes.count && now - sort.untoldSince < mistakes.seconds
  }

  private static func tell(
    _ sort: inout Sort, _ signal: IncidentSignal, _ severity: Incident.Severity, _ now: Int64
  ) -> Finding {
    let (count, origins) = (sort.untold, sort.origins)
    (sort.untold, sort.toldAt, sort.origins) = (0, now, [])
    return Finding(
      signal: signal, severity: severity, count: count, origin: origins.count == 1 ? origins.first ?? nil : nil)
  }
}
