import Encodings
package import OwnerAPI
import TerminalUI

/// A length of time as it is typed and stored, such as `12h`, in words: `12 hours`. What is not one stays as it is.
package func timeInWords(_ text: String) -> String { TimeSpan.seconds(text).map { TimeSpan.exactWords($0) } ?? shown(text) }

/// The same behind “every” or “another”: `12 hours`, but `hour` for one.
package func unitInWords(_ text: String) -> String { withoutOne(timeInWords(text)) }

/// How long something lasts yet, in the largest unit of which there are at least two: `90 minutes`, `24 hours`.
package func timeLeft(_ seconds: Int64) -> String {
  let known = min(max(0, seconds), Int64.max - 86_400)
  for (unit, name) in [(86_400, "days"), (3_600, "hours"), (60, "minutes")] as [(Int64, String)] {
    // A rule that was made a moment ago for two hours has two.
    if known + unit / 60 >= 2 * unit { return "\((known + unit / 2) / unit) \(name)" }
  }
  return known == 1 ? "1 second" : "\(known) seconds"
}

private func withoutOne(_ words: String) -> String { words.hasPrefix("1 ") ? String(words.dropFirst(2)) : words }

extension OwnerAPI.Duration {
  /// How long that is, as in “for 1 day”; nil for `once` and `always`.
  package var length: String? { if case .time(let seconds) = self { TimeSpan.exactWords(seconds) } else { nil } }
}

extension BudgetPeriod {
  /// How long that is, as in “in 1 day”.
  package var length: String { timeInWords(rawValue) }
}

/// What the log says of a changed rule, with its time in words: `allow for 1h: sign_event:1`, `budget for sign_event:1: 10 in 1d`.
func ruleInWords(_ rule: String) -> String {
  var words = rule.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  guard words.count > 2 else { return rule }
  if words[1] == "for", words[0] != "budget", words[2].hasSuffix(":") {
    words[2] = timeInWords(String(words[2].dropLast())) + ":"
  } else if words.contains("budget"), words[words.count - 2] == "in" {
    words[words.count - 1] = timeInWords(words[words.count - 1])
  }
  return words.joined(separator: " ")
}
