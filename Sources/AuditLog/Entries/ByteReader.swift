internal import Encodings

/// Reads big-endian fields from bytes that may be cut or wrong; nil is the answer to anything that is not there.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func integer<Number: FixedWidthInteger>() -> Number? {
    take(MemoryLayout<Number>.size)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func bytes32() -> Bytes32? { take(32).flatMap { Bytes32($0) } }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
