/// A cursor over a JSON text (RFC 8259) for hand-written parsers: one pass over the bytes, no tree, no allocation.
///
/// Strict: valid UTF-8, no raw control characters, no lone surrogates, no byte order mark, bounded depth. Every method skips
/// white space first. It does not search for duplicate keys: the caller knows which keys it has seen.
///
/// The bytes belong to the caller and must outlive the reader and every `JSONText` it gives out.
public struct JSONReader {
  /// What kind of value stands at the cursor.
  public enum Kind: Sendable {
    case object, array, string, number, bool, null
  }

  @usableFromInline let base: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// The cursor, in bytes from the start.
  public internal(set) var position = 0
  let depthLimit: Int
  private var depth = 0
  private var isFirst = false  // no comma before the next element

  /// - Throws: `.tooLong`.
  public init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = .standard) throws(JSONError) {
    guard bytes.count <= limits.bytes else { throw .tooLong(limit: limits.bytes) }
    base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(emptyText.utf8Start)
    count = bytes.count
    depthLimit = limits.depth
  }

  /// The kind of the next value, by its first byte; the cursor stays before it.
  public mutating func peek() throws(JSONError) -> Kind {
    switch try nextByte() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw .unexpectedByte(at: position)
    }
  }

  /// Steps into an object. Then call `nextKey` until it gives nil, and read or skip a value after each key.
  public mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{")) }

  /// The next key of the object, with the cursor behind its colon; nil when the object has ended.
  public mutating func nextKey() throws(JSONError) -> JSONText? {
    guard try step(closing: UInt8(ascii: "}")) else { return nil }
    guard try nextByte() == UInt8(ascii: "\"") else { throw .unexpectedByte(at: position) }
    let key = try scanString()
    guard try nextByte() == UInt8(ascii: ":") else { throw .unexpectedByte(at: position) }
    position += 1
    return key
  }

  /// Steps into an array. Then call `nextElement` until it gives false, and read or skip a value each time.
  public mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "[")) }

  /// Whether the array has another element; its end is consumed.
  public mutating func nextElement() throws(JSONError) -> Bool { try step(closing: UInt8(ascii: "]")) }

  /// A string, checked but not yet decoded.
  public mutating func readText() throws(JSONError) -> JSONText {
    guard try nextByte() == UInt8(ascii: "\"") else { throw .wrongType(at: position) }
    return try scanString()
  }

  /// A string.
  public mutating func readString() throws(JSONError) -> String { try readText().string }

  /// `true` or `false`.
  public mutating func readBool() throws(JSONError) -> Bool {
    switch try nextByte() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw .wrongType(at: position)
    }
  }

  /// `null`.
  public mutating func readNull() throws(JSONError) {
    guard try nextByte() == UInt8(ascii: "n") else { throw .wrongType(at: position) }
    try literal("null")
  }

  /// Makes sure that only white space is left.
  public mutating func end() throws(JSONError) {
    skipSpace()
    guard position == count else { throw .trailingBytes(at: position) }
  }

  /// The next byte that is no white space; the cursor stays on it.
  mutating func nextByte() throws(JSONError) -> UInt8 {
    skipSpace()
    guard position < count else { throw .unexpectedEnd(at: count) }
    return base[position]
  }

  mutating func literal(_ word: StaticString) throws(JSONError) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position + offset < count else { throw .unexpectedEnd(at: count) }
      guard base[position + offset] == word.utf8Start[offset] else { throw .unexpectedByte(at: position + offset) }
    }
    position += word.utf8CodeUnitCount
  }

  private mutating func begin(_ opening: UInt8) throws(JSONError) {
    guard try nextByte() == opening else { throw .wrongType(at: position) }
    guard depth < depthLimit else { throw .tooDeep(at: position) }
    position += 1
    depth += 1
    isFirst = true
  }

  // One flag serves all levels: after leaving an inner array or object, the cursor is behind an element.
  private mutating func step(closing: UInt8) throws(JSONError) -> Bool {
    let byte = try nextByte()
    let first = isFirst
    isFirst = false
    if byte == closing {
      position += 1
      depth -= 1
      return false
    }
    if first { return true }
    guard byte == UInt8(ascii: ",") else { throw .unexpectedByte(at: position) }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    while position < count {
      let byte = base[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
      position += 1
    }
  }
}

private let emptyText: StaticString = " "
