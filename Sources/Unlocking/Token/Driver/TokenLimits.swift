internal import CLinux  // `timespec` belongs to whichever C module saw it first
internal import Platform
internal import Vault

/// How long a driver may take for one answer.
struct TokenLimits: Sendable {
  /// A time, and what is said when it is over.
  struct Limit: Sendable {
    let milliseconds: Int
    let words: StaticString
  }

  /// A smart card takes a second.
  var answer = Limit(milliseconds: 30_000, words: "its driver did not answer within 30 s")
  /// For the use of a key, which may want a touch: tokens themselves wait for 15 s.
  var touch = Limit(milliseconds: 60_000, words: "its driver did not answer within 60 s")
  /// For a PIN that is typed on the token's own keypad.
  var keypad = Limit(milliseconds: 180_000, words: "its driver did not answer within 180 s")
  /// For a new key: a TPM may search an RSA key for half a minute.
  var making = Limit(milliseconds: 120_000, words: "its driver did not answer within 120 s")
}

/// The moment at which a driver should have answered, by a clock that nobody sets.
struct TokenDeadline {
  private let end: Int
  let words: StaticString

  init(_ limit: TokenLimits.Limit) { (end, words) = (Self.now + limit.milliseconds, limit.words) }

  /// Milliseconds until then, 0 or more.
  var left: Int { max(0, end - Self.now) }

  private static var now: Int { Int(Clock.monotonicMilliseconds) }
}
