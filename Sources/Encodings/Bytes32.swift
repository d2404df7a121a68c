/// 32 bytes held in place, without an allocation: a digest, an event id, an x-only public key.
public struct Bytes32: Sendable {
  // Four words in memory order: the first byte is the lowest address of `a`.
  private var a: UInt64, b: UInt64, c: UInt64, d: UInt64

  /// 32 zero bytes.
  public init() { (a, b, c, d) = (0, 0, 0, 0) }

  /// - Returns: nil unless there are exactly 32 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.init()
    withUnsafeMutableBytes { target in target.copyBytes(from: bytes) }
  }

  /// - Returns: nil unless there are exactly 32 bytes.
  public init?(copying bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    self.init()
    withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
  }

  /// What `fill` writes into 32 zero bytes.
  public init<E: Error>(filling fill: (UnsafeMutableRawBufferPointer) throws(E) -> Void) throws(E) {
    self.init()
    try withUnsafeMutableBytes(fill)
  }

  /// Lends the 32 bytes for the length of one call.
  @inlinable
  public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try Swift.withUnsafeBytes(of: self, body)
  }

  /// Lends the 32 bytes for writing.
  @inlinable
  public mutating func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R { try Swift.withUnsafeMutableBytes(of: &self, body) }

  /// The bytes as an array of 32.
  public var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

// Equality is not constant time: these bytes are public. Secrets live in `SecretBytes`.
extension Bytes32: Hashable {
  /// Whether all 32 bytes are equal. Not in constant time.
  public static func == (left: Bytes32, right: Bytes32) -> Bool {
    left.a == right.a && left.b == right.b && left.c == right.c && left.d == right.d
  }

  // The bytes come from hashes and curve points mostly, yet a stranger may choose them: all of them go into the seeded hasher.
  /// Puts all 32 bytes into the hasher.
  public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Bytes32: Comparable {
  /// Order of the bytes as an unsigned big-endian number, which is also the order of the hex text.
  public static func < (left: Bytes32, right: Bytes32) -> Bool {
    (left.a.bigEndian, left.b.bigEndian, left.c.bigEndian, left.d.bigEndian)
      < (right.a.bigEndian, right.b.bigEndian, right.c.bigEndian, right.d.bigEndian)
  }
}

extension Bytes32: CustomStringConvertible {
  /// 64 lower-case hex digits.
  public var description: String { hex }
  /// 64 lower-case hex digits.
  public var hex: String { withUnsafeBytes { Hex.encode($0) } }

  /// - Parameter hex: exactly 64 hex digits, either case.
  public init?(hex: some Collection<UInt8>) {
    guard hex.count == 64, let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes)
  }

  /// - Parameter hex: exactly 64 hex digits, either case.
  public init?(hex: String) { self.init(hex: hex.utf8) }
}
