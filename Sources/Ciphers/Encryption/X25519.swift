import CSodium
public import Encodings
public import SecretMemory

/// Diffie-Hellman on Curve25519 (RFC 7748), through libsodium.
public enum X25519 {
  /// The public key that belongs to a secret one, 32 bytes.
  /// - Parameter secretKey: 32 random bytes; their clamping is part of the function.
  public static func publicKey(of secretKey: UnsafeRawBufferPointer) throws(CipherError) -> Bytes32 {
    try require(secretKey, count: 32)
    return Bytes32 { _ = crypto_scalarmult_curve25519_base($0.start, secretKey.start) }
  }

  /// The shared secret: 32 bytes that are not a key yet. Derive one from them and both public keys.
  /// - Parameter secretKey: 32 bytes.
  /// - Throws: `.notOnCurve` for a public key of small order, with which the other side would have no say.
  public static func sharedSecret(
    _ secretKey: UnsafeRawBufferPointer, with publicKey: Bytes32
  ) throws(CipherError) -> SecretBytes {
    try require(secretKey, count: 32)
    return try SecretBytes.filled(32) { (target) throws(CipherError) in
      let status = publicKey.withUnsafeBytes { crypto_scalarmult_curve25519(target.start, secretKey.start, $0.start) }
      guard status == 0 else { throw .notOnCurve }
    }
  }
}
