/// A length of time as people type it: `90s`, `15m`, `2h`, `7d`, `2w`.
public enum TimeSpan {
  private static let units: [UInt8: Int64] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
    UInt8(ascii: "w"): 604_800,
  ]
  /// Ten years: longer is a typing mistake.
  private static let longest: Int64 = 315_360_000

  /// - Returns: seconds, nil for anything else than digits and one unit, or for more than ten years.
  public static func seconds(_ text: String) -> Int64? {
    guard let last = text.utf8.last, let unit = units[last], let count = digits(text.utf8.dropLast()) else { return nil }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow || seconds > longest ? nil : seconds
  }

  /// - Returns: the decimal number, nil unless there are digits only and it fits.
  public static func digits(_ text: some Collection<UInt8>) -> Int64? {
    guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
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

  private static func count(_ number: Int64, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
}
