/// Takes values from the front of an input, and zeros when it is used up, so that every input means something.
struct ByteFeed {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// 0 to `count` - 1.
  mutating func index(below count: Int) -> Int { Int(byte()) % count }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  /// Big-endian, two's complement.
  mutating func int16() -> Int16 { Int16(truncatingIfNeeded: Int(byte()) << 8 | Int(byte())) }

  /// Big-endian, two's complement.
  mutating func int64() -> Int64 { (0..<8).reduce(0) { value, _ in value << 8 | Int64(byte()) } }

  /// Up to `count` bytes; fewer only at the end.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// A length of one byte, then that many bytes.
  mutating func shortBytes() -> [UInt8] { bytes(Int(byte())) }

  /// All that is left.
  mutating func remaining() -> [UInt8] { bytes(rest.count) }
}
