import Ciphers
import SecretMemory

/// The hashes of FROST(Ed25519, SHA-512) (RFC 9591, section 6.1).
enum FROSTHash {
  static let rho = "rho"
  static let nonce = "nonce"
  static let message = "msg"
  static let commitments = "com"

  /// H4 and H5: 64 bytes.
  static func digest(_ purpose: String, _ bytes: [UInt8]) -> [UInt8] {
    (prefix(purpose) + bytes).withUnsafeBytes { SHA512.digest(of: $0) }
  }

  /// H1.
  static func scalar(_ purpose: String, _ bytes: [UInt8]) -> EdwardsScalar { EdwardsScalar(reducing: digest(purpose, bytes)) }

  /// H2, which has no prefix, so that signatures are those of RFC 8032.
  static func challenge(_ bytes: [UInt8]) -> EdwardsScalar {
    EdwardsScalar(reducing: bytes.withUnsafeBytes { SHA512.digest(of: $0) })
  }

  /// H3 before its reduction.
  /// - Parameter target: 64 secret bytes.
  static func write(
    _ purpose: String, _ bytes: [UInt8], _ secret: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) {
    let known = prefix(purpose) + bytes
    withUnsafeTemporaryAllocation(byteCount: known.count + secret.count, alignment: 1) { all in
      defer { wipe(all) }
      known.withUnsafeBytes { all.copyMemory(from: $0) }
      UnsafeMutableRawBufferPointer(rebasing: all[known.count...]).copyMemory(from: secret)
      SHA512.write(digestOf: UnsafeRawBufferPointer(all), into: target)
    }
  }

  private static func prefix(_ purpose: String) -> [UInt8] { [UInt8]("FROST-ED25519-SHA512-v1\(purpose)".utf8) }
}
