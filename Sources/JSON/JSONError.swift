/// What is wrong with a JSON text. Cases carry the offset in bytes from the start, never the text.
public enum JSONError: Error, Equatable, Sendable {
  /// The text ends inside a value.
  case unexpectedEnd(at: Int)
  /// A byte that is not allowed here.
  case unexpectedByte(at: Int)
  /// A value of another type than the caller asked for.
  case wrongType(at: Int)
  /// Not UTF-8 as RFC 3629 defines it: overlong, a surrogate, above U+10FFFF, or cut short.
  case malformedUTF8(at: Int)
  /// A raw character below U+0020 inside a string.
  case controlCharacter(at: Int)
  /// A backslash with something else behind it than RFC 8259 allows.
  case malformedEscape(at: Int)
  /// A `\u` escape that is half of a surrogate pair.
  case loneSurrogate(at: Int)
  /// A number that RFC 8259 does not allow.
  case malformedNumber(at: Int)
  /// A number that is no integer, or does not fit 64 bits.
  case notInteger(at: Int)
  /// A key that the object already has; the offset of the second one.
  case duplicateKey(at: Int)
  /// Arrays and objects nested deeper than `JSONLimits.depth`.
  case tooDeep(at: Int)
  /// More bytes than `JSONLimits.bytes`.
  case tooLong(limit: Int)
  /// More values than `JSONLimits.values`.
  case tooManyValues(limit: Int)
  /// There is something after the value.
  case trailingBytes(at: Int)
}

/// How much a JSON text may ask for. The text comes from a stranger.
public struct JSONLimits: Sendable {
  /// Length of the text in bytes.
  public var bytes: Int
  /// Nested arrays and objects; a number on its own has depth 0.
  public var depth: Int
  /// Values in a `JSONValue` tree, members and elements counted. A `JSONReader` keeps no tree and does not count.
  public var values: Int

  /// 8 MiB, 32 levels, 200,000 values.
  public static let standard = JSONLimits()

  /// Limits other than the standard ones.
  public init(bytes: Int = 8 << 20, depth: Int = 32, values: Int = 200_000) {
    (self.bytes, self.depth, self.values) = (bytes, depth, values)
  }
}
