/// A number as it stands in the text, checked against the grammar.
public struct JSONNumber {
  /// The digits with sign, fraction and exponent.
  let bytes: UnsafeBufferPointer<UInt8>
  let isWhole: Bool  // neither fraction nor exponent

  /// Nil for a fraction, an exponent, minus zero, or anything that does not fit.
  public var integer: Int64? {
    guard isWhole, let first = bytes.first else { return nil }
    guard first == UInt8(ascii: "-") else { return Self.magnitude(bytes[...]).flatMap { Int64(exactly: $0) } }
    guard let size = Self.magnitude(bytes.dropFirst()), size > 0 else { return nil }
    return size <= UInt64(Int64.max) ? -Int64(size) : size == UInt64(Int64.max) + 1 ? Int64.min : nil
  }

  /// The text, verbatim.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  private static func magnitude(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
    var value: UInt64 = 0
    for digit in digits {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }
}

extension JSONReader {
  /// An integer of 64 bits. A fraction or an exponent is refused even where its value is whole.
  public mutating func readInteger() throws(JSONError) -> Int64 {
    guard case .number = try peek() else { throw .wrongType(at: position) }
    let start = position
    guard let value = try readNumber().integer else { throw .notInteger(at: start) }
    return value
  }

  /// A number of any size.
  public mutating func readNumber() throws(JSONError) -> JSONNumber {
    guard case .number = try peek() else { throw .wrongType(at: position) }
    let start = position
    if base[position] == UInt8(ascii: "-") { position += 1 }
    let leadingZero = position < count && base[position] == UInt8(ascii: "0")
    let digits = skipDigits()
    guard digits == 1 || digits > 1 && !leadingZero else { throw .malformedNumber(at: start) }
    var isWhole = true
    if position < count, base[position] == UInt8(ascii: ".") {
      position += 1
      isWhole = false
      guard skipDigits() > 0 else { throw .malformedNumber(at: start) }
    }
    if position < count, base[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      isWhole = false
      if position < count, base[position] == UInt8(ascii: "+") || base[position] == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { throw .malformedNumber(at: start) }
    }
    return JSONNumber(bytes: UnsafeBufferPointer(start: base + start, count: position - start), isWhole: isWhole)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while position < count, base[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position - start
  }
}
