import CSodium
public import Encodings

/// SipHash-2-4: a keyed hash of 64 bits. Without the key nobody can choose inputs that collide.
public struct SipHash: Sendable {
  /// Length of the key, in bytes.
  public static let keyLength = 16

  private let key: (UInt64, UInt64)

  /// - Returns: nil unless there are exactly 16 bytes.
  public init?(key: some Collection<UInt8>) {
    guard key.count == Self.keyLength else { return nil }
    let bytes = Array(key)
    self.key = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }

  /// The hash of 32 bytes.
  public func hash(of bytes: Bytes32) -> UInt64 {
    var hash: UInt64 = 0
    withUnsafeBytes(of: key) { key in
      bytes.withUnsafeBytes { bytes in
        withUnsafeMutableBytes(of: &hash) { hash in
          _ = crypto_shorthash_siphash24(hash.start, bytes.start, UInt64(bytes.count), key.start)
        }
      }
    }
    return UInt64(littleEndian: hash)
  }
}
