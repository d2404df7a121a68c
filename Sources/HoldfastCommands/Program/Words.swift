import CommandLine
import Encodings
import OwnerAPI
import TerminalUI

// Values of a response, formatted for people.

/// A text of a response made printable, with single spaces between its words; empty for nil. Two spaces would look like the columns
/// of a line. If the text holds a command, that is neither kept on one line nor completed with `--home`, as commands are that the signer
/// suggests.
func shown(_ text: String?, limit: Int = 200) -> String { ours(text, limit: limit).withoutCommands() }

/// The same for a sentence of the signer's own, which may suggest a command.
func ours(_ text: String?, limit: Int = 200) -> String { printableWords(text ?? "", limit: limit) }

/// The same as `shown` for what a stranger wrote: it ends no quotation either.
func foreign(_ text: String?, limit: Int = 200) -> String {
  let text = shown(text, limit: limit)
  return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "“" || $0 == "”" ? "\"" : $0 }))
}

/// The name that somebody gave himself or an app, as it stands in a sentence: `“Coracle”`.
func quoted(_ name: String) -> String { "“\(foreign(name))”" }

/// A number of a response; empty for nil.
func shown(_ number: Int64?) -> String { number.map { "\($0)" } ?? "" }

/// A word of the contract; empty for nil.
func shown(_ word: (some Word)?) -> String { shown(word?.rawValue) }

/// Texts with commas between them. They may be a stranger's.
func list(_ texts: [String]) -> String { texts.map { foreign($0) }.joined(separator: ", ") }

/// Local date and time; empty for nil.
func date(_ seconds: Int64?) -> String { seconds.map(moment) ?? "" }

/// Names and values, one pair a line. Empty values are left out.
func pairs(_ rows: [(String, String)]) -> String {
  let filled = rows.filter { !$0.1.isEmpty }
  let width = (filled.map(\.0.count).max() ?? 0) + 2
  return filled.map { name, value in
    name.padded(to: width) + value.split(separator: "\n").joined(separator: "\n" + String(repeating: " ", count: width))
  }.joined(separator: "\n")
}

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
        option: option, form: "a real date such as 2026-12-01 or 2026-12-01T14:30, or how long ago, such as 15m or 7d")
    }
    return time
  }

  /// The values of `--relay`. Only their form is checked.
  func relays() throws(UsageError) -> [String] {
    try RelayOption.check(self)
    return values("relay")
  }
}
