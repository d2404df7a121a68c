import Encodings

/// How long a permission, or the answer to a request, is valid. It is written `once`, `always`, or as a time such as `30m`.
public enum Duration: RawRepresentable, Hashable, Sendable {
  case once
  /// For a number of seconds within `times`.
  case time(Int64)
  case always

  /// A minute to a year of 365 days, in seconds.
  public static let times: ClosedRange<Int64> = 60...31_536_000
  /// What is valid in words, for errors and help.
  public static let form = "a time from 1 minute to 1 year such as 30m, 1h30m, 3d or 2w"

  /// Five minutes.
  public static let fiveMinutes = time(300)
  /// An hour.
  public static let hour = time(3600)
  /// A day.
  public static let day = time(86_400)
  /// A week.
  public static let week = time(604_800)

  /// - Returns: nil for anything that is not written so, and for a time that is too short or too long.
  public init?(rawValue text: String) {
    switch text {
    case "once": self = .once
    case "always": self = .always
    default:
      guard let seconds = TimeSpan.seconds(text), Self.times.contains(seconds) else { return nil }
      self = .time(seconds)
    }
  }

  /// The shortest text with that meaning: seven days are `1w`.
  public var rawValue: String {
    switch self {
    case .once: "once"
    case .time(let seconds): TimeSpan.text(seconds)
    case .always: "always"
    }
  }
}

extension FieldVisitor {
  /// How long something is valid, or nothing.
  public func duration(_ name: String, _ value: inout Duration?, _ about: String) throws(FieldError) {
    var text = value?.rawValue
    try self.text(name, &text, about)
    guard mode == .reading else { return }
    value = try text.map { text throws(FieldError) in try Self.duration(name, text) }
  }

  /// Times in order; empty when the member is missing.
  public func durations(_ name: String, _ value: inout [Duration], _ about: String) throws(FieldError) {
    var texts = value.map(\.rawValue)
    try self.texts(name, &texts, about)
    guard mode == .reading else { return }
    value = try texts.map { text throws(FieldError) in try Self.duration(name, text) }
  }

  private static func duration(_ name: String, _ text: String) throws(FieldError) -> Duration {
    guard let duration = Duration(rawValue: text) else { throw .notADuration(name) }
    return duration
  }
}
