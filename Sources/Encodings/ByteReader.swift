/// Reads big-endian fields from bytes that may be cut or wrong; nil is the answer to anything that is not there.
package struct ByteReader {
  /// What was not taken yet.
  package private(set) var rest: ArraySlice<UInt8>

  /// Starts at the first byte.
  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Whether every byte was taken.
  package var isAtEnd: Bool { rest.isEmpty }

  /// The next byte.
  package mutating func byte() -> UInt8? { rest.popFirst() }

  /// The next `count` bytes.
  package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The next number, most significant byte first.
  package mutating func integer<Number: FixedWidthInteger>() -> Number? {
    take(MemoryLayout<Number>.size)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// The next 32 bytes.
  package mutating func bytes32() -> Bytes32? { take(32).flatMap { Bytes32($0) } }
}

extension [UInt8] {
  /// Appends a number, most significant byte first.
  package mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
