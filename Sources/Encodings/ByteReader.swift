/// Reads big-endian fields from bytes that may be cut or wrong; nil is the answer to anything that is not there.
package struct ByteReader {
  /// What was not taken yet.
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

  /// The next number, most significant byte first.
  @inlinable package mutating func integer<Number: FixedWidthInteger>() -> Number? {
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
  @inlinable package mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
