import Encodings
import Platform

/// A moment for people: local date and time to the minute.
public func moment(_ seconds: Int64) -> String { localTime(seconds, "%Y-%m-%d %H:%M") }

/// A moment for people: the local date.
public func day(_ seconds: Int64) -> String { localTime(seconds, "%Y-%m-%d") }

/// A moment for people: local date and time to the second.
public func exactMoment(_ seconds: Int64) -> String { localTime(seconds, "%Y-%m-%d %H:%M:%S") }

/// - Parameter form: as `strftime` takes it.
private func localTime(_ seconds: Int64, _ form: String) -> String {
  var time = time_t(seconds)
  var parts = tm()
  guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
  var text = [CChar](repeating: 0, count: 32)
  let count = strftime(&text, text.count, form, &parts)
  return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// How long ago a moment was: `never` for 0, `now` within a minute.
public func ago(_ seconds: Int64, now: Int64) -> String {
  if seconds == 0 { return "never" }
  let span = now.subtractingReportingOverflow(seconds).partialValue
  return span < 60 ? "now" : TimeSpan.words(span) + " ago"
}
