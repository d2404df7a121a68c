/// Times in UTC, as ISO 8601 writes them.
package enum ISOTime {
  /// `20130524T000000Z`.
  /// - Parameter seconds: since 1970.
  package static func basic(_ seconds: Int64) -> String { text(seconds, date: "", time: "") }

  /// `2013-05-24T00:00:00`, without the mark of the zone.
  /// - Parameter seconds: since 1970.
  package static func extended(_ seconds: Int64) -> String { String(text(seconds, date: "-", time: ":").dropLast()) }

  private static func text(_ seconds: Int64, date between: String, time colon: String) -> String {
    let (date, time) = parts(max(0, seconds))
    return [digits(date.year, 4), digits(date.month, 2), digits(date.day, 2)].joined(separator: between) + "T"
      + [digits(time / 3600, 2), digits(time / 60 % 60, 2), digits(time % 60, 2)].joined(separator: colon) + "Z"
  }

  /// - Returns: seconds since 1970; nil for text that `basic` does not write.
  package static func seconds(_ text: [UInt8]) -> Int64? {
    guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      let digits = text[range]
      return digits.allSatisfy({ (0x30...0x39).contains($0) }) ? digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
      let minute = number(11..<13), let second = number(13..<15), (1...12).contains(month)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = max(0, shifted) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    return basic(seconds) == String(decoding: text, as: UTF8.self) ? seconds : nil
  }

  /// The civil date of a day (Howard Hinnant, "chrono-compatible low-level date algorithms").
  private static func parts(_ seconds: Int64) -> (date: (year: Int64, month: Int64, day: Int64), time: Int64) {
    let shifted = seconds / 86_400 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    return ((yearOfEra + era * 400 + (civil <= 2 ? 1 : 0), civil, day), seconds % 86_400)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
