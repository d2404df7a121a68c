/// How many uses of the key an app gets without the owner being asked. Nil is no limit.
public struct RequestLimits: Hashable, Sendable {
  /// In 60 seconds.
  public var perMinute: Int?
  /// In 3,600 seconds.
  public var perHour: Int?
  /// In 86,400 seconds.
  public var perDay: Int?

  /// Limits, none as a rule.
  public init(perMinute: Int? = nil, perHour: Int? = nil, perDay: Int? = nil) {
    (self.perMinute, self.perHour, self.perDay) = (perMinute, perHour, perDay)
  }

  /// Whether there is any.
  public var isEmpty: Bool { perMinute == nil && perHour == nil && perDay == nil }
}

/// So many of one thing in a period.
public struct Budget: Hashable, Sendable {
  /// The periods there are. The raw values are the words used everywhere.
  public enum Period: String, Sendable, CaseIterable {
    case hour = "1h"
    case day = "1d"
    case week = "1w"

    /// In seconds.
    public var seconds: Int64 {
      switch self {
      case .hour: 3600
      case .day: 86_400
      case .week: 604_800
      }
    }
  }

  /// What is counted: a method, or `sign_event` of a kind.
  public let permission: Permission
  /// How many.
  public let count: Int
  /// In what time.
  public let period: Period

  /// A budget with its parts.
  public init(_ permission: Permission, count: Int, period: Period) {
    (self.permission, self.count, self.period) = (permission, count, period)
  }
}
