/// Reads big-endian fields from bytes that may be cut or wrong; nil is the answer to anything that is not there.
package struct ByteReader {
  /// The bytes that were not read yet.
  @usableFromInline package var rest: ArraySlice<UInt8>

  /// Starts at the first byte.
  @inlinable package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Whether every byte was taken.
  @inlinable package var isAtEnd: Bool { rest.isEmpty }

  /// The next byte.
  @inlinable package mutating func byte() -> UInt8? { rest.popFirst() }

  /// The next `count` bytes.
  @inlinable package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    let middle = rest.startIndex + count
    defer { rest = rest[middle...] }
    return rest[..<middle]
  }

  // One method a type: a generic one would not be specialized for other modules, and a number would cost 100 ns.

  /// The next number, most significant byte first.
  package mutating func integer() -> UInt16? { number() }
  /// The next number, most significant byte first.
  package mutating func integer() -> UInt32? { number() }
  /// The next number, most significant byte first.
  package mutating func integer() -> UInt64? { number() }
  /// The next number, most significant byte first.
  package mutating func integer() -> Int64? { number() }

  private mutating func number<Number: FixedWidthInteger>() -> Number? {
    let count = MemoryLayout<Number>.size
    guard count <= rest.count else { return nil }
    let middle = rest.startIndex + count
    let number = rest.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(as: Number.self)) }
    rest = rest[middle...]
    return number
  }

  /// The next 32 bytes.
  @inlinable package mutating func bytes32() -> Bytes32? {
    guard let bytes = take(32) else { return nil }
    return bytes.withUnsafeBytes { Bytes32(copying: $0) }
  }
}

extension [UInt8] {
  /// Appends a number, most significant byte first.
  package mutating func append(bigEndian number: UInt16) { appendBytes(of: number) }
  /// Appends a number, most significant byte first.
  package mutating func append(bigEndian number: UInt32) { appendBytes(of: number) }
  /// Appends a number, most significant byte first.
  package mutating func append(bigEndian number: UInt64) { appendBytes(of: number) }
  /// Appends a number, most significant byte first.
  package mutating func append(bigEndian number: Int64) { appendBytes(of: number) }

  private mutating func appendBytes<Number: FixedWidthInteger>(of number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
