/// A length of time as people type it: `90s`, `15m`, `2h`, `1h30m`, `7d`, `2w`.
public enum TimeSpan {
  /// The longest unit first.
  private static let units: [(letter: UInt8, seconds: Int64)] = [
    (UInt8(ascii: "w"), 604_800), (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60),
    (UInt8(ascii: "s"), 1),
  ]
  /// Ten years: longer is a typing mistake.
  private static let longest: Int64 = 315_360_000

  /// - Returns: seconds, nil for anything else than digits and units, the longest unit first and each once, or for more than ten years.
  public static func seconds(_ text: String) -> Int64? {
    var (rest, units, total) = (text.utf8[...], units[...], Int64(0))
    repeat {
      guard let end = rest.firstIndex(where: { !isDigit($0) }), let unit = units.firstIndex(where: { $0.letter == rest[end] }),
        let count = digits(rest[..<end])
      else { return nil }
      let (seconds, overflow) = count.multipliedReportingOverflow(by: units[unit].seconds)
      guard !overflow, seconds <= longest - total else { return nil }
      total += seconds
      (rest, units) = (rest[rest.index(after: end)...], units[(unit + 1)...])
    } while !rest.isEmpty
    return total
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// - Returns: the decimal number, nil unless there are digits only and it fits.
  public static func digits(_ text: some Collection<UInt8>) -> Int64? {
    guard !text.isEmpty, text.allSatisfy(isDigit) else { return nil }
    return Int64(String(decoding: text, as: UTF8.self))
  }

  /// The time in words, the largest unit only: `5 minutes`, `1 hour`, `12 days`. Up to two days, hours say more than days.
  public static func words(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: count(max(0, seconds), "second")
    case ..<3600: count(seconds / 60, "minute")
    case ..<172_800 where seconds != 86_400: count(seconds / 3600, "hour")
    case 604_800: "1 week"
    default: count(seconds / 86_400, "day")
    }
  }

  /// The shortest text with that meaning: `90m`, `2h`, `1w`.
  /// - Parameter seconds: 1 or more.
  public static func text(_ seconds: Int64) -> String {
    let unit = units.first { seconds % $0.seconds == 0 } ?? (UInt8(ascii: "s"), 1)
    return "\(seconds / unit.seconds)\(Character(UnicodeScalar(unit.letter)))"
  }

  /// The time in words with nothing left out: `90 minutes`, `36 hours`, `14 days`.
  public static func exactWords(_ seconds: Int64) -> String {
    switch seconds {
    case 604_800: "1 week"
    case let days where days % 86_400 == 0 && days > 0: count(days / 86_400, "day")
    case let hours where hours % 3600 == 0 && hours > 0: count(hours / 3600, "hour")
    case let minutes where minutes % 60 == 0 && minutes > 0: count(minutes / 60, "minute")
    default: count(seconds, "second")
    }
  }

  private static func count(_ number: Int64, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
}
