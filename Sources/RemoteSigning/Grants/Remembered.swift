/// How long an answer of the owner is remembered. The raw values are the words used everywhere.
public enum Remembered: String, Sendable, CaseIterable {
  /// This request only; nothing is kept.
  case once
  case fiveMinutes = "5m"
  case hour = "1h"
  case day = "1d"
  case week = "1w"
  /// Until the owner takes it back.
  case always

  /// In seconds; nil for `always`.
  public var seconds: Int64? {
    switch self {
    case .once: 0
    case .fiveMinutes: 300
    case .hour: 3600
    case .day: 86_400
    case .week: 604_800
    case .always: nil
    }
  }

  /// Whether this is no longer than another.
  public func fits(within longest: Remembered) -> Bool { (seconds ?? .max) <= (longest.seconds ?? .max) }
}
