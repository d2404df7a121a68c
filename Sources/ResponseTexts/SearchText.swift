import TerminalUI

/// Sentences about a search for a key: its speed and its duration.
package enum SearchText {
  /// What to expect, shown before the first second is over.
  /// - Parameters:
  ///   - bits: one key in two to the power of this number fits.
  ///   - half: half of all searches end within so many seconds.
  ///   - most: 95 of 100 searches end within so many seconds.
  package static func expectation(bits: Int, keysPerSecond: Double, half: Double, most: Double, threads: Int) -> String {
    """
    One key in \(count(power(bits))) fits. With \(count(keysPerSecond)) keys a second on \(threads) thread\(threads == 1 ? "" : "s"), half of \
    all such searches end within \(span(half)), 95 of 100 within \(span(most)). Ctrl-C stops the search and stores nothing.
    """
  }

  /// The title of the bar. The bar shows what share of such searches has ended by now.
  package static func title(keysPerSecond: Double) -> String { "\(count(keysPerSecond)) keys/s" }

  /// A number as people say it: `950`, `33,000`, `30 million`.
  package static func count(_ number: Double) -> String {
    let steps: [(Double, String)] = [
      (1e15, " thousand million million"), (1e12, " million million"), (1e9, " thousand million"), (1e6, " million"),
    ]
    for (unit, name) in steps where number >= unit { return short(number / unit) + name }
    return number >= 10_000 ? "\(Int(number) / 1000),000" : "\(Int(number))"
  }

  /// A duration in people's words.
  package static func span(_ seconds: Double) -> String {
    let steps: [(Double, String)] = [(31_557_600, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"), (2, "seconds")]
    for (unit, name) in steps where seconds >= max(unit, 2) * (unit > 2 ? 2 : 1) {
      return short(unit > 2 ? seconds / unit : seconds, name)
    }
    return seconds < 1 ? "a second" : "two seconds"
  }

  /// A duration to a tenth of a second.
  package static func exactly(_ seconds: Double) -> String {
    seconds < 60 ? "\(Int(seconds)).\(Int(seconds * 10) % 10) s" : span(seconds)
  }

  private static func short(_ number: Double, _ name: String) -> String {
    number >= 1e6 ? "millions of \(name)" : "\(Int(number)) \(name)"
  }

  private static func short(_ number: Double) -> String {
    number >= 1e6 ? "a million and more" : number < 10 ? "\(Int(number)).\(Int(number * 10) % 10)" : "\(Int(number))"
  }

  private static func power(_ bits: Int) -> Double {
    (0..<min(bits, 512)).reduce(1.0) { power, _ in power * 2 }
  }
}
