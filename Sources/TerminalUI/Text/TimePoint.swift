import Encodings
import Platform

/// A moment as people type it: `now`, `today` and `yesterday` for the beginning of these days, `2026-12-01`, `2026-12-01T14:30`, or seconds since 1970.
public enum TimePoint {
  /// - Parameter now: seconds since 1970.
  /// - Returns: seconds since 1970; nil for anything else. Without a zone, the time is local.
  public static func seconds(_ text: String, now: Int64) -> Int64? {
    if text == "now" { return now }
    if text == "today" || text == "yesterday" { return midnight(before: now, daysBack: text == "today" ? 0 : 1) }
    // Ten digits: a shorter number is a year, a date without dashes or a length of time without its unit.
    if let number = TimeSpan.digits(text.utf8) { return number >= 1_000_000_000 ? number : nil }
    let isUTC = text.hasSuffix("Z")
    let parts = (isUTC ? text.dropLast() : text[...]).split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard parts.count <= 2, let date = parts.first, let day = numbers(date, by: "-", widths: [4, 2, 2]) else { return nil }
    guard !isUTC || parts.count == 2, let clock = parts.count == 2 ? time(parts[1]) : [0, 0, 0] else { return nil }
    return seconds(day + clock, isUTC: isUTC)
  }

  /// The beginning of a local day. Days are counted by the calendar, because not each has 24 hours.
  private static func midnight(before now: Int64, daysBack: Int32) -> Int64? {
    var (seconds, day) = (time_t(now), tm())
    guard localtime_r(&seconds, &day) != nil else { return nil }
    var midnight = tm()
    (midnight.tm_year, midnight.tm_mon, midnight.tm_mday) = (day.tm_year, day.tm_mon, day.tm_mday - daysBack)
    midnight.tm_isdst = -1
    return Int64(mktime(&midnight))
  }

  /// - Parameter text: `14:30` or `14:30:05`.
  private static func time(_ text: Substring) -> [Int32]? {
    numbers(text, by: ":", widths: [2, 2, 2]) ?? numbers(text, by: ":", widths: [2, 2]).map { $0 + [0] }
  }

  private static func numbers(_ text: Substring, by separator: Character, widths: [Int]) -> [Int32]? {
    let words = text.split(separator: separator, omittingEmptySubsequences: false)
    guard words.map(\.utf8.count) == widths else { return nil }
    let values = words.compactMap { TimeSpan.digits($0.utf8).flatMap { Int32(exactly: $0) } }
    return values.count == widths.count ? values : nil
  }

  /// - Parameter parts: year, month, day, hour, minute, second.
  private static func seconds(_ parts: [Int32], isUTC: Bool) -> Int64? {
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (parts[3], parts[4], parts[5])
    time.tm_isdst = -1
    let wanted = (time.tm_mon, time.tm_mday)
    let seconds = isUTC ? timegm(&time) : mktime(&time)
    // The 31st of June would become the 1st of July.
    guard (time.tm_mon, time.tm_mday) == wanted, parts[3] < 24, parts[4] < 60, parts[5] < 60, seconds >= 0 else { return nil }
    return Int64(seconds)
  }
}
