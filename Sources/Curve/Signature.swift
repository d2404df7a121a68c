public import Encodings

/// 64 bytes of signature, held in place: r then s. BIP-340 or compact ECDSA, as the maker says.
public struct Signature: Hashable, Sendable {
  /// The first 32 bytes: the x of the nonce point.
  public let r: Bytes32
  /// The last 32 bytes.
  public let s: Bytes32

  /// Does not check that the numbers are in range.
  public init(r: Bytes32, s: Bytes32) { (self.r, self.s) = (r, s) }

  /// - Returns: nil unless there are exactly 64 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 64, let r = Bytes32(bytes.prefix(32)), let s = Bytes32(bytes.suffix(32)) else { return nil }
    self.init(r: r, s: s)
  }

  /// - Parameter hex: exactly 128 hex digits, either case.
  public init?(hex: some Collection<UInt8>) {
    guard hex.count == 128, let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes)
  }

  init(filling fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    self = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { bytes in
      fill(bytes.start)
      let all = UnsafeRawBufferPointer(bytes)
      return Signature(
        r: Bytes32 { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[0..<32])) },
        s: Bytes32 { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[32..<64])) })
    }
  }

  /// Lends the 64 bytes for the length of one call.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { Swift.withUnsafeBytes(of: (r, s)) { body($0) } }

  /// The 64 bytes, r then s.
  public var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

  /// 128 lower-case hex digits.
  public var hex: String { withUnsafeBytes { Hex.encode($0) } }
}
