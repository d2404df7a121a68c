import CSodium
import Encodings
import SecretMemory

/// A number modulo the order of Ed25519's group that is no secret: 32 bytes, the lowest first.
struct EdwardsScalar: Hashable, Sendable {
  let bytes: Bytes32

  private init(unchecked bytes: Bytes32) { self.bytes = bytes }

  /// - Returns: nil for a number that is not below the group order (RFC 9591, section 6.1: such encodings are refused).
  init?(_ bytes: Bytes32) {
    self.init(reducing: bytes.array + [UInt8](repeating: 0, count: 32))
    guard self.bytes == bytes else { return nil }
  }

  /// - Parameter bytes: 64, a number in little-endian order.
  init(reducing bytes: [UInt8]) {
    precondition(bytes.count == 64)  // our own bug: a SHA-512, or 32 bytes and zeros
    self.bytes = Bytes32 { target in crypto_core_ed25519_scalar_reduce(target.octets, bytes) }
  }

  init(_ number: UInt32) {
    bytes = Bytes32 { target in
      withUnsafeBytes(of: number.littleEndian) { UnsafeMutableRawBufferPointer(rebasing: target[..<4]).copyMemory(from: $0) }
    }
  }

  static let zero = EdwardsScalar(0)
  static let one = EdwardsScalar(1)

  static func + (left: EdwardsScalar, right: EdwardsScalar) -> EdwardsScalar {
    left.with(right) { crypto_core_ed25519_scalar_add($0, $1, $2) }
  }

  static func * (left: EdwardsScalar, right: EdwardsScalar) -> EdwardsScalar {
    left.with(right) { crypto_core_ed25519_scalar_mul($0, $1, $2) }
  }

  static func - (left: EdwardsScalar, right: EdwardsScalar) -> EdwardsScalar {
    left.with(right) { crypto_core_ed25519_scalar_sub($0, $1, $2) }
  }

  /// - Returns: zero for zero.
  var inverse: EdwardsScalar {
    EdwardsScalar(
      unchecked: Bytes32 { target in bytes.withUnsafeBytes { _ = crypto_core_ed25519_scalar_invert(target.octets, $0.octets) } })
  }

  private func with(
    _ other: EdwardsScalar, _ operation: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void
  ) -> EdwardsScalar {
    EdwardsScalar(
      unchecked: Bytes32 { target in
        bytes.withUnsafeBytes { left in other.bytes.withUnsafeBytes { operation(target.octets, left.octets, $0.octets) } }
      })
  }
}

/// A secret number modulo the order of Ed25519's group. libsodium takes the same time for all of them.
struct EdwardsSecret: ~Copyable, Sendable {
  private let secret: SecretBytes

  /// - Parameter bytes: 32, of a number below the group order.
  init(_ bytes: consuming SecretBytes) { secret = bytes }

  /// A random one.
  static func random() throws(ThresholdError) -> EdwardsSecret {
    try EdwardsSecret(secretBytes(32) { crypto_core_ed25519_scalar_random($0.octets) })
  }

  /// The remainder of 64 secret bytes.
  init(reducing bytes: borrowing SecretBytes) throws(ThresholdError) {
    secret = try secretBytes(32) { target in bytes.withBytes { crypto_core_ed25519_scalar_reduce(target.octets, $0.octets) } }
  }

  borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try secret.withBytes(body)
  }

  borrowing func duplicate() throws(ThresholdError) -> EdwardsSecret {
    try EdwardsSecret(secretBytes(32) { target in secret.withBytes { target.copyMemory(from: $0) } })
  }

  borrowing func adding(_ other: borrowing EdwardsSecret) throws(ThresholdError) -> EdwardsSecret {
    try EdwardsSecret(
      secretBytes(32) { target in
        secret.withBytes { left in
          other.withBytes { crypto_core_ed25519_scalar_add(target.octets, left.octets, $0.octets) }
        }
      })
  }

  borrowing func multiplied(by factor: EdwardsScalar) throws(ThresholdError) -> EdwardsSecret {
    try EdwardsSecret(
      secretBytes(32) { target in
        secret.withBytes { left in
          factor.bytes.withUnsafeBytes { crypto_core_ed25519_scalar_mul(target.octets, left.octets, $0.octets) }
        }
      })
  }

  /// The point that this number makes of the base point.
  /// - Throws: `.secretShareOutOfRange` for zero.
  borrowing func point() throws(ThresholdError) -> EdwardsPoint {
    var status: Int32 = -1
    let bytes = Bytes32 { target in
      secret.withBytes { status = crypto_scalarmult_ed25519_base_noclamp(target.octets, $0.octets) }
    }
    guard status == 0 else { throw .secretShareOutOfRange }
    return EdwardsPoint(unchecked: bytes)
  }

  /// The number, which is no secret any more.
  borrowing func published() -> EdwardsScalar { secret.withBytes { EdwardsScalar(Bytes32(copying: $0)!)! } }  // 32 bytes, reduced
}

extension UnsafeRawBufferPointer {
  /// For libsodium; the buffer has bytes.
  var octets: UnsafePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// For libsodium; the buffer has bytes.
  var octets: UnsafeMutablePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}
