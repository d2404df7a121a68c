/// What happened on the connection to a relay in each of the last 24 hours. Its size is fixed, whatever the relay does.
public struct RelayHistory: Sendable, Hashable {
  /// How many hours are kept.
  public static let mostHours = 24
  private static let hourLength: Int64 = 3600

  /// One hour in which something happened.
  public struct Hour: Sendable, Hashable {
    /// When it began, in seconds since 1970.
    public let start: Int64
    /// How often the open connection was lost.
    public internal(set) var drops = 0
    /// How many answers the relay accepted.
    public internal(set) var accepted = 0
    /// How long the relay took for these together, in milliseconds.
    var milliseconds = 0

    init(start: Int64) { self.start = start }

    /// How long the relay took to accept an answer, in milliseconds; nil if it accepted none.
    public var meanDelay: Int? { accepted == 0 ? nil : milliseconds / accepted }
  }

  /// Oldest first, at most `mostHours`.
  public private(set) var hours: [Hour] = []

  /// Nothing happened so far.
  public init() {}

  /// The open connection was lost.
  /// - Parameter now: seconds since 1970.
  mutating func lost(at now: Int64) { note(now) { $0.drops += 1 } }

  /// The relay accepted an answer.
  /// - Parameters:
  ///   - milliseconds: how long that took.
  ///   - now: seconds since 1970.
  mutating func accepted(after milliseconds: Int, at now: Int64) {
    note(now) { hour in
      hour.accepted += 1
      hour.milliseconds += max(0, milliseconds)
    }
  }

  /// While the clock is set back, everything counts for the newest hour.
  private mutating func note(_ now: Int64, _ change: (inout Hour) -> Void) {
    let start = now - now % Self.hourLength
    if hours.last.map({ $0.start < start }) ?? true {
      hours.append(Hour(start: start))
      hours.removeAll { $0.start <= start - Int64(Self.mostHours) * Self.hourLength }
    }
    change(&hours[hours.count - 1])
  }
}
