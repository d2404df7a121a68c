/// What an app has used up: how many uses of the key its rules allowed without asking, by period.
///
/// A period begins with the first use that is counted in it, and the next one with the first use after its end.
public struct Usage: Hashable, Sendable {
  /// One period's count.
  public struct Window: Hashable, Sendable {
    /// Seconds since 1970.
    public var startedAt: Int64
    /// Uses since then.
    public var count: Int

    /// A count that began at that time.
    public init(startedAt: Int64, count: Int) { (self.startedAt, self.count) = (startedAt, count) }

    /// How many are used up at that time. Setting the clock back ends no period.
    func used(at now: Int64, _ seconds: Int64) -> Int {
      let (age, overflow) = now.subtractingReportingOverflow(startedAt)
      return overflow || age >= seconds ? 0 : count
    }

    mutating func add(at now: Int64, _ seconds: Int64) {
      if used(at: now, seconds) == 0 { self = Window(startedAt: now, count: 0) }
      // The clock was set back by more than a period. The period begins now; otherwise it would last until the clock has caught
      // up.
      if startedAt > now { startedAt = now }
      count = count == .max ? .max : count + 1
    }
  }

  /// What is counted: all uses of a minute, an hour, a day, or those of one budget.
  public enum Counter: Hashable, Sendable {
    case minute, hour, day
    case budget(Permission, Budget.Period)

    var seconds: Int64 {
      switch self {
      case .minute: 60
      case .hour: 3600
      case .day: 86_400
      case .budget(_, let period): period.seconds
      }
    }
  }

  /// The counts. Only uses that a limit or budget covers are counted.
  public internal(set) var windows: [Counter: Window]

  /// Nothing used.
  public init(windows: [Counter: Window] = [:]) { self.windows = windows }

  /// How many of it are used up at that time.
  public func used(_ counter: Counter, at now: Int64) -> Int { windows[counter]?.used(at: now, counter.seconds) ?? 0 }

  /// The rule that a further use of the key would break.
  func exceeded(by request: RequestFacts, under grant: Grant, at now: Int64) -> Rule? {
    let limits = grant.limits
    if let most = limits.perMinute, used(.minute, at: now) >= most { return .minuteLimit }
    if let most = limits.perHour, used(.hour, at: now) >= most { return .hourLimit }
    if let most = limits.perDay, used(.day, at: now) >= most { return .dayLimit }
    for budget in grant.budgets where budget.permission.reaches(request) {
      if used(.budget(budget.permission, budget.period), at: now) >= budget.count { return .budget }
    }
    return nil
  }

  /// Takes the higher of two counts at that time. Of two periods that are over, it keeps the later one, because a clock that is
  /// ahead makes a present period look over.
  mutating func raise(to other: Usage, at now: Int64) {
    func order(_ window: Window, _ counter: Counter) -> (used: Int, startedAt: Int64, count: Int) {
      (window.used(at: now, counter.seconds), window.startedAt, window.count)
    }
    for (counter, window) in other.windows {
      if let own = windows[counter], order(own, counter) >= order(window, counter) { continue }
      windows[counter] = window
    }
  }

  /// Forgets the counts that no limit or budget asks for any more.
  mutating func keepWhatCounts(under grant: Grant) {
    windows = windows.filter { counter, _ in
      switch counter {
      case .minute: grant.limits.perMinute != nil
      case .hour: grant.limits.perHour != nil
      case .day: grant.limits.perDay != nil
      case .budget(let permission, let period):
        grant.budgets.contains { $0.permission == permission && $0.period == period }
      }
    }
  }

  /// Counts a use of the key.
  public mutating func count(_ request: RequestFacts, under grant: Grant, at now: Int64) {
    func add(_ counter: Counter) {
      windows[counter, default: Window(startedAt: now, count: 0)].add(at: now, counter.seconds)
    }
    if grant.limits.perMinute != nil { add(.minute) }
    if grant.limits.perHour != nil { add(.hour) }
    if grant.limits.perDay != nil { add(.day) }
    for budget in grant.budgets where budget.permission.reaches(request) { add(.budget(budget.permission, budget.period)) }
  }
}

extension Grant {
  /// Whether uses are to be counted.
  public var counts: Bool { !limits.isEmpty || !budgets.isEmpty }
}

extension Usage {
  /// A usage in which all limits and budgets of a grant are used up at that time. It is for pairings from a backup, which does
  /// not know what was used since.
  /// - Parameter now: seconds since 1970.
  public init(spending grant: Grant, since now: Int64) {
    self.init()
    func spend(_ counter: Counter, _ count: Int?) {
      guard let count else { return }
      windows[counter] = Window(startedAt: now, count: max(count, windows[counter]?.count ?? 0))
    }
    spend(.minute, grant.limits.perMinute)
    spend(.hour, grant.limits.perHour)
    spend(.day, grant.limits.perDay)
    for budget in grant.budgets { spend(.budget(budget.permission, budget.period), budget.count) }
  }
}
