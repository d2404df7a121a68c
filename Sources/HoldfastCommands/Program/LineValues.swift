import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

// Values of a command line.

extension Invocation {
  /// The option as a word of the contract. Nil if it was not given. The parser lets no other word through.
  func word<W: Word>(_ option: String) -> W? { value(option).flatMap { W(rawValue: $0) } }

  /// An argument that the command requires.
  func needed(_ argument: String) -> String { self.argument(argument) ?? "" }

  /// The option as a duration in seconds. Nil if it was not given.
  func seconds(_ option: String, as form: String) throws(UsageError) -> Int64? {
    guard let text = value(option) else { return nil }
    guard let seconds = TimeSpan.seconds(text), seconds > 0 else { throw .valueMalformed(option: option, form: form) }
    return seconds
  }

  /// The option as the time for which a rule is valid. Nil if it was not given.
  func duration(_ option: String, once: Bool = false) throws(UsageError) -> OwnerAPI.Duration? {
    guard let text = value(option) else { return nil }
    guard let duration = OwnerAPI.Duration(rawValue: text), once || duration != .once else {
      throw .valueMalformed(option: option, form: "\(once ? "once, " : "")always or \(OwnerAPI.Duration.form)")
    }
    return duration
  }

  /// The option as seconds from now. It is given as a duration, or as a moment in the future. Nil if it was not given.
  func lifetime(_ option: String, _ now: Int64) throws(UsageError) -> Int64? {
    guard let text = value(option) else { return nil }
    guard let seconds = TimeSpan.seconds(text) ?? TimePoint.seconds(text, now: now).map({ $0 - now }), seconds > 0 else {
      throw .valueMalformed(option: option, form: "a time such as 15m, 2h or 7d, or a date to come such as 2026-12-01")
    }
    return seconds
  }

  /// The option as a time in seconds since 1970. It is given as a moment, or as a duration before now.
  func moment(_ option: String, _ now: Int64) throws(UsageError) -> Int64? {
    guard let text = value(option) else { return nil }
    guard let time = TimePoint.seconds(text, now: now) ?? TimeSpan.seconds(text).map({ max(0, now - $0) }) else {
      throw .valueMalformed(
        option: option,
        form: "a real date such as 2026-12-01 or 2026-12-01T14:30, today, yesterday, or how long ago, such as 15m or 7d")
    }
    return time
  }

  /// The values of `--relay`. Only their form is checked.
  func relays() throws(UsageError) -> [String] {
    try RelayOption.check(self)
    return values("relay")
  }
}
