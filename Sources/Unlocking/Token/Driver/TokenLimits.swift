import CLinux  // `timespec` belongs to whichever C module saw it first
import Platform
import Vault

/// How long a driver may take for one answer.
struct TokenLimits: Sendable {
  /// A time limit, and the text for when it is exceeded.
  struct Limit: Sendable {
    let milliseconds: Int
    let words: StaticString
  }

  /// For usual answers. A smart card takes a second.
  var answer = Limit(milliseconds: 30_000, words: "its driver did not answer within 30 s")
  /// For using a key, which may require a touch. Tokens themselves wait for 15 s.
  var touch = Limit(milliseconds: 60_000, words: "its driver did not answer within 60 s")
  /// For a PIN that is typed on the token's own keypad.
  var keypad = Limit(milliseconds: 180_000, words: "its driver did not answer within 180 s")
  /// For making a key. A TPM may take half a minute for an RSA key.
  var making = Limit(milliseconds: 120_000, words: "its driver did not answer within 120 s")
}

/// The time at which a driver must have answered, by a clock that nobody can set.
struct TokenDeadline {
  private let end: Int
  let words: StaticString

  init(_ limit: TokenLimits.Limit) { (end, words) = (Self.now + limit.milliseconds, limit.words) }

  /// Milliseconds that are left, 0 or more.
  var left: Int { max(0, end - Self.now) }

  private static var now: Int { Int(Clock.monotonicMilliseconds) }
}
