import Encodings

/// How long an answer of the owner is remembered.
public enum Remembered: Hashable, Sendable {
  /// This request only; nothing is kept.
  case once
  /// For a number of seconds, 1 or more.
  case time(Int64)
  /// Until the owner takes it back.
  case always

  /// Five minutes.
  public static let fiveMinutes = time(300)
  /// An hour.
  public static let hour = time(3600)
  /// A day.
  public static let day = time(86_400)
  /// A week.
  public static let week = time(604_800)

  /// What the owner is offered, the shortest first.
  public static let choices: [Remembered] = [.once, .fiveMinutes, .hour, .day, .week, .always]

  /// In seconds; nil for `always`.
  public var seconds: Int64? {
    switch self {
    case .once: 0
    case .time(let seconds): seconds
    case .always: nil
    }
  }

  /// As it is typed, and as the log says it: `once`, `90m`, `1w` or `always`.
  public var text: String {
    switch self {
    case .once: "once"
    case .time(let seconds): TimeSpan.text(seconds)
    case .always: "always"
    }
  }

  /// Whether this is no longer than another.
  public func fits(within longest: Remembered) -> Bool { (seconds ?? .max) <= (longest.seconds ?? .max) }
}
