/// Writes JSON into one array, without white space.
///
/// Strings are escaped as NIP-01 asks: only `\n \" \\ \r \t \b \f` have short forms, other characters below U+0020 become
/// `\u00xx` in lower case (JSON allows no raw ones, and every client writes them so), everything else stands for itself.
/// Commas are placed by the writer; that keys and values alternate is the caller's duty.
public struct JSONWriter {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  @usableFromInline var needsComma = false

  /// - Parameter reserving: an estimate of the length in bytes.
  public init(reserving: Int = 128) { bytes.reserveCapacity(reserving) }

  /// Opens an object: then a `key`, a value, a `key`, …
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the array.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A key that is ASCII and needs no escapes.
  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(name)
    append("\":")
    needsComma = false
  }

  /// A key of any content.
  public mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string.
  public mutating func string(_ value: String) {
    let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { string(utf8: UnsafeRawBufferPointer($0)) }
    guard isDone == nil else { return }
    Array(value.utf8).withUnsafeBytes { string(utf8: $0) }
  }

  /// - Parameter utf8: valid UTF-8; not checked.
  public mutating func string(utf8: UnsafeRawBufferPointer) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    if let base = utf8.baseAddress?.assumingMemoryBound(to: UInt8.self) { escape(base, utf8.count) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// A string of lower-case hex digits, two for each byte.
  public mutating func hex(_ value: UnsafeRawBufferPointer) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    withUnsafeTemporaryAllocation(byteCount: max(value.count * 2, 1), alignment: 1) { digits in
      var position = 0
      for byte in value {
        digits[position] = hexDigits.utf8Start[Int(byte >> 4)]
        digits[position + 1] = hexDigits.utf8Start[Int(byte & 15)]
        position += 2
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: digits[0..<position]))
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// An integer in decimal digits, of up to 64 bits.
  @inlinable
  public mutating func integer(_ value: some FixedWidthInteger) {
    integer(magnitude: UInt64(value.magnitude), isNegative: value < 0)
  }

  @usableFromInline
  mutating func integer(magnitude: UInt64, isNegative: Bool) {
    separate()
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var rest = magnitude
      var position = 20
      repeat {
        position -= 1
        digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: digits[position..<20]))
    }
    needsComma = true
  }

  /// `true` or `false`.
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// `null`.
  public mutating func null() { raw("null") }

  /// A value that is JSON already; not checked.
  public mutating func raw(_ json: StaticString) {
    separate()
    append(json)
    needsComma = true
  }

  /// A value that is JSON already; not checked.
  public mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func escape(_ base: UnsafePointer<UInt8>, _ count: Int) {
    var cursor = 0
    while cursor < count {
      let run = EscapedRun.next(base, from: cursor, to: count)
      bytes.append(contentsOf: UnsafeBufferPointer(start: base + cursor, count: run - cursor))
      guard run < count else { return }
      appendEscape(of: base[run])
      cursor = run + 1
    }
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case 0x0a: append("\\n")
    case 0x22: append("\\\"")
    case 0x5c: append("\\\\")
    case 0x0d: append("\\r")
    case 0x09: append("\\t")
    case 0x08: append("\\b")
    case 0x0c: append("\\f")
    default:
      append("\\u00")
      bytes.append(hexDigits.utf8Start[Int(byte >> 4)])
      bytes.append(hexDigits.utf8Start[Int(byte & 15)])
    }
  }
}

/// Finds the next byte that must be escaped: quote, backslash or a control character.
private enum EscapedRun {
  @inline(__always)
  static func next(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var cursor = start
    while true {
      cursor = PlainRun.end(base, from: cursor, to: end)
      // The run ends at bytes above ASCII too; those stand for themselves.
      while cursor < end, base[cursor] >= 0x80 { cursor += 1 }
      guard cursor < end else { return end }
      let byte = base[cursor]
      if byte < 0x20 || byte == 0x22 || byte == 0x5c { return cursor }
    }
  }
}

private let hexDigits: StaticString = "0123456789abcdef"
