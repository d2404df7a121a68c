import OwnerAPI
import Testing

@Suite struct DurationTests {
  @Test(
    "A time is once, always, or a number with its unit, and is written in the shortest way",
    arguments: [
      ("once", .once, "once"), ("always", .always, "always"), ("5m", .fiveMinutes, "5m"), ("1h", .hour, "1h"), ("1d", .day, "1d"),
      ("1w", .week, "1w"), ("60s", .time(60), "1m"), ("90s", .time(90), "90s"), ("90m", .time(5400), "90m"),
      ("24h", .day, "1d"), ("7d", .week, "1w"), ("365d", .time(31_536_000), "365d"), ("52w", .time(31_449_600), "52w"),
    ] as [(String, Duration, String)])
  func isRead(text: String, duration: Duration, written: String) {
    #expect(Duration(rawValue: text) == duration && duration.rawValue == written)
  }

  @Test(
    "A shorter time than a minute, a longer one than a year and other texts are refused",
    arguments: ["", "1m ", "59s", "0m", "366d", "53w", "1y", "5", "m", "-5m", "forever", "Once", "5M", "99999999999999999999d"])
  func isRefused(text: String) { #expect(Duration(rawValue: text) == nil) }
}
