import CSodium
public import Encodings
import SecretMemory

/// Ed25519 signatures (RFC 8032), through libsodium. The secret is the 32-byte seed.
public enum Ed25519 {
  /// Length of a seed in bytes.
  public static let seedLength = 32
  /// Length of a signature in bytes.
  public static let signatureLength = 64

  /// The public key that belongs to a seed, 32 bytes.
  /// - Parameter seed: 32 bytes.
  public static func publicKey(seed: UnsafeRawBufferPointer) throws(CipherError) -> Bytes32 {
    try withKeyPair(seed) { publicKey, _ in Bytes32 { $0.copyMemory(from: publicKey) } }
  }

  /// - Parameter seed: 32 bytes.
  /// - Returns: 64 bytes. The same message and seed give the same signature.
  public static func sign(_ message: [UInt8], seed: UnsafeRawBufferPointer) throws(CipherError) -> [UInt8] {
    try withKeyPair(seed) { _, secretKey in
      [UInt8](unsafeUninitializedCapacity: signatureLength) { signature, filled in
        crypto_sign_ed25519_detached(
          UnsafeMutableRawBufferPointer(signature).start, nil, message, UInt64(message.count), secretKey.start)
        filled = signatureLength
      }
    }
  }

  /// Whether the signature is right. False, too, for anything that is not 64 bytes, and for a key of small order.
  public static func isValid(_ signature: some Collection<UInt8>, of message: [UInt8], by publicKey: Bytes32) -> Bool {
    guard signature.count == signatureLength else { return false }
    let signature = Array(signature)
    return publicKey.withUnsafeBytes {
      crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), $0.start) == 0
    }
  }

  /// Lends the public key (32 bytes) and libsodium's secret key (64 bytes, wiped afterwards).
  private static func withKeyPair<Result>(
    _ seed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) throws(CipherError) -> Result {
    try require(seed, count: seedLength)
    return withUnsafeTemporaryAllocation(byteCount: 32 + 64, alignment: 8) { both in
      let publicKey = UnsafeMutableRawBufferPointer(rebasing: both[0..<32])
      let secretKey = UnsafeMutableRawBufferPointer(rebasing: both[32...])
      defer { wipe(secretKey) }
      crypto_sign_ed25519_seed_keypair(publicKey.start, secretKey.start, seed.start)
      return body(UnsafeRawBufferPointer(publicKey), UnsafeRawBufferPointer(secretKey))
    }
  }
}
