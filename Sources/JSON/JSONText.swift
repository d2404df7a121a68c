/// A string inside a JSON text: checked, not yet decoded. Valid only as long as the bytes it was read from.
public struct JSONText {
  @usableFromInline let start: UnsafePointer<UInt8>
  /// Length in bytes as written, between the quotes. Decoding never makes it longer.
  public let count: Int
  /// Whether any backslash stands in it.
  public let hasEscapes: Bool
  /// Where it starts, in bytes from the start of the text, behind the opening quote.
  public let offset: Int

  @usableFromInline
  init(start: UnsafePointer<UInt8>, count: Int, hasEscapes: Bool, offset: Int) {
    (self.start, self.count, self.hasEscapes, self.offset) = (start, count, hasEscapes, offset)
  }

  /// The bytes as written, escapes and all.
  @inlinable
  public var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// The bytes when they need no decoding, else nil.
  @inlinable
  public var plainBytes: UnsafeRawBufferPointer? { hasEscapes ? nil : rawBytes }

  /// Whether the decoded string equals an ASCII name.
  @inlinable
  public func `is`(_ name: StaticString) -> Bool {
    if hasEscapes { return decodedIs(name) }
    guard count == name.utf8CodeUnitCount else { return false }
    for index in 0..<count where start[index] != name.utf8Start[index] { return false }
    return true
  }

  /// The decoded string.
  public var string: String {
    guard hasEscapes else { return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }
    return String(unsafeUninitializedCapacity: count) { decode(into: $0) }
  }

  /// The decoded string as UTF-8.
  public var bytes: [UInt8] {
    // With no room the standard library writes a count of 0 into the empty array that all threads share: ThreadSanitizer reports it.
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { target, filled in filled = decode(into: target) }
  }

  /// Writes the decoded string as UTF-8.
  /// - Parameter target: at least `count` bytes.
  /// - Returns: the number of bytes written.
  public func decode(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(target.count >= count)  // our own bug, never a stranger's bytes
    guard let first = target.baseAddress, count > 0 else { return 0 }
    guard hasEscapes else {
      first.update(from: start, count: count)
      return count
    }
    return unescape(into: first)
  }

  @usableFromInline
  func decodedIs(_ name: StaticString) -> Bool {
    bytes.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  // The reader has checked every escape, so nothing here can fail.
  private func unescape(into target: UnsafeMutablePointer<UInt8>) -> Int {
    var source = 0
    var written = 0
    while source < count {
      let run = start[source] == UInt8(ascii: "\\") ? source : runEnd(from: source)
      if run > source {
        (target + written).update(from: start + source, count: run - source)
        written += run - source
        source = run
        continue
      }
      let (scalar, length) = escape(at: source)
      for byte in UTF8.encode(scalar).unsafelyUnwrapped {  // every scalar has an encoding
        target[written] = byte
        written += 1
      }
      source += length
    }
    return written
  }

  private func runEnd(from position: Int) -> Int {
    var cursor = position
    while cursor < count, start[cursor] != UInt8(ascii: "\\") {
      cursor = max(PlainRun.end(start, from: cursor, to: count), cursor + 1)
    }
    return min(cursor, count)
  }

  private func escape(at position: Int) -> (Unicode.Scalar, length: Int) {
    switch start[position + 1] {
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{c}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"): break
    case let literal: return (Unicode.Scalar(literal), 2)
    }
    let unit = UInt32(Self.codeUnit(start + position + 2) ?? 0)
    guard unit & 0xf800 == 0xd800 else { return (Unicode.Scalar(unit) ?? "\u{fffd}", 6) }
    let low = UInt32(Self.codeUnit(start + position + 8) ?? 0)
    return (Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff) ?? "\u{fffd}", 12)
  }

  /// Four hex digits.
  static func codeUnit(_ digits: UnsafePointer<UInt8>) -> UInt16? {
    var unit: UInt16 = 0
    for index in 0..<4 {
      let digit: UInt8
      switch digits[index] {
      case let byte where byte &- 0x30 < 10: digit = byte &- 0x30
      case let byte where (byte | 0x20) &- 0x61 < 6: digit = (byte | 0x20) &- 0x61 &+ 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
