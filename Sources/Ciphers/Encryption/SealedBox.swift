import CSodium
public import Encodings
public import SecretMemory

/// Anonymous encryption to a public key: libsodium's sealed box (X25519, XSalsa20-Poly1305, an ephemeral key whose
/// secret half is deleted at once). The sender cannot open it. It proves that nothing was changed, but not who sealed it.
public enum SealedBox {
  /// How much longer the box is than its contents, in bytes.
  public static let overhead = 48

  /// The public key that belongs to a secret one, 32 bytes.
  /// - Parameter secretKey: 32 random bytes.
  public static func publicKey(of secretKey: UnsafeRawBufferPointer) throws(CipherError) -> Bytes32 {
    try require(secretKey, count: 32)
    return Bytes32 { _ = crypto_scalarmult_curve25519_base($0.start, secretKey.start) }
  }

  /// - Returns: `overhead` bytes more than the message has.
  /// - Throws: `.library` for a public key that is a point of small order.
  public static func seal(_ message: UnsafeRawBufferPointer, to publicKey: Bytes32) throws(CipherError) -> [UInt8] {
    try filledArray(message.count + overhead) { (target) throws(CipherError) in
      let status = publicKey.withUnsafeBytes {
        crypto_box_seal(target.start, message.start, UInt64(message.count), $0.start)
      }
      guard status == 0 else { throw .library("crypto_box_seal") }
      return target.count
    }
  }

  /// - Parameter secretKey: 32 bytes.
  /// - Throws: `.notAuthentic` for any change, another key, and a box that is too short to hold a byte.
  public static func open(_ box: [UInt8], secretKey: UnsafeRawBufferPointer) throws(CipherError) -> SecretBytes {
    guard box.count > overhead else { throw .notAuthentic }
    let publicKey = try publicKey(of: secretKey)
    return try SecretBytes.filled(box.count - overhead) { (target) throws(CipherError) in
      let status = publicKey.withUnsafeBytes {
        crypto_box_seal_open(
          target.start, box, UInt64(box.count), $0.start, secretKey.start)
      }
      guard status == 0 else { throw .notAuthentic }
    }
  }
}
