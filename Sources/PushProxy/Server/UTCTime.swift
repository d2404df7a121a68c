import Encodings
import JSON

/// Times as Clave's proxy writes them: `2026-11-28T22:59:20.000Z`.
enum UTCTime {
  /// - Parameter seconds: since 1970; nil gives `null`.
  static func json(_ seconds: Int64?) -> JSONValue { seconds.map { .string(text($0)) } ?? .null }

  /// - Parameter seconds: since 1970. What lies outside the years 1970 to 9999 is written as the nearest time inside.
  static func text(_ seconds: Int64) -> String { ISOTime.extended(min(max(0, seconds), 253_402_300_799)) + ".000Z" }
}
