extension JSONReader {
  /// From an opening quote to behind the closing one. Finds the end, and checks UTF-8 and escapes on the way.
  mutating func scanString() throws(JSONError) -> JSONText {
    let start = position + 1
    var cursor = start
    var hasEscapes = false
    while true {
      cursor = PlainRun.end(base, from: cursor, to: count)
      guard cursor < count else { throw .unexpectedEnd(at: count) }
      let byte = base[cursor]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        cursor = try passEscape(at: cursor)
      } else if byte < 0x20 {
        throw .controlCharacter(at: cursor)
      } else {
        let length = UTF8Sequence.length(base + cursor, available: count - cursor)
        guard length > 0 else { throw .malformedUTF8(at: cursor) }
        cursor += length
      }
    }
    position = cursor + 1
    return JSONText(start: base + start, count: cursor - start, hasEscapes: hasEscapes, offset: start)
  }

  /// - Returns: the position behind the escape, or behind the pair of escapes that make one character.
  private func passEscape(at start: Int) throws(JSONError) -> Int {
    guard start + 1 < count else { throw .unexpectedEnd(at: count) }
    switch base[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"): break
    default: throw .malformedEscape(at: start)
    }
    let unit = try codeUnit(at: start)
    guard unit & 0xf800 == 0xd800 else { return start + 6 }
    guard unit < 0xdc00, start + 7 < count, base[start + 6] == UInt8(ascii: "\\"), base[start + 7] == UInt8(ascii: "u"),
      try codeUnit(at: start + 6) & 0xfc00 == 0xdc00
    else { throw .loneSurrogate(at: start) }
    return start + 12
  }

  private func codeUnit(at start: Int) throws(JSONError) -> UInt16 {
    guard start + 6 <= count else { throw .unexpectedEnd(at: count) }
    guard let unit = JSONText.codeUnit(base + start + 2) else { throw .malformedEscape(at: start) }
    return unit
  }
}

/// Runs of bytes that stand for themselves in a JSON string: printable ASCII without quote and backslash.
enum PlainRun {
  /// - Returns: the first position from `start` with another byte, or `end`.
  @inline(__always)
  static func end(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var cursor = start
    while cursor &+ 8 <= end {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + cursor).loadUnaligned(as: UInt64.self))
      let marks = special(word)
      guard marks == 0 else { return cursor &+ marks.trailingZeroBitCount >> 3 }
      cursor &+= 8
    }
    while cursor < end, isPlain(base[cursor]) { cursor &+= 1 }
    return cursor
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5c }

  // The top bit of each byte that is not plain. A borrow can only mark bytes above one that is marked rightly, and the caller
  // uses the lowest mark alone.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let low = (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)
    return (low | word) & (ones &* 0x80)
  }
}

/// One character above U+007F, as RFC 3629 allows it.
enum UTF8Sequence {
  /// - Returns: 2 to 4, or 0 for anything malformed.
  static func length(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
    func continues(_ index: Int) -> Bool { bytes[index] & 0xc0 == 0x80 }
    switch bytes[0] {
    case 0xc2...0xdf:
      return available >= 2 && continues(1) ? 2 : 0
    case 0xe0...0xef:
      guard available >= 3, continues(1), continues(2) else { return 0 }
      let isOverlong = bytes[0] == 0xe0 && bytes[1] < 0xa0
      let isSurrogate = bytes[0] == 0xed && bytes[1] >= 0xa0
      return isOverlong || isSurrogate ? 0 : 3
    case 0xf0...0xf4:
      guard available >= 4, continues(1), continues(2), continues(3) else { return 0 }
      let isOverlong = bytes[0] == 0xf0 && bytes[1] < 0x90
      let isTooHigh = bytes[0] == 0xf4 && bytes[1] >= 0x90
      return isOverlong || isTooHigh ? 0 : 4
    default: return 0
    }
  }
}
