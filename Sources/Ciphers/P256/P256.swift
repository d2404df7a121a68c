import COpenSSL

/// The NIST curve P-256 (SP 800-186; also secp256r1, prime256v1), as Web Push and passkeys use it: ECDH, and ECDSA with SHA-256.
///
/// Nostr's keys are of another curve: see `Curve`.
public enum P256 {
  /// Bytes of a private key, of a coordinate and of a shared secret.
  public static let scalarLength = 32
  /// Bytes of an uncompressed point: 4, x, y.
  public static let pointLength = 65

  /// The curve, made once. Only read after that: the library allows concurrent calls that take it as `const`.
  nonisolated(unsafe) static let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)  // never changed, never freed
}

/// One `EVP_PKEY` on P-256, freed with its owner; the library clears its private number then.
struct P256Key: ~Copyable {
  private static let isLittleEndian = UInt16(1).littleEndian == 1

  let raw: OpaquePointer

  /// - Parameters:
  ///   - point: an uncompressed point, 65 bytes. The library refuses one that is not on the curve.
  ///   - scalar: 32 bytes, most significant first, that belong to the point; nil for a public key.
  /// - Throws: `.notOnCurve`, `.outOfMemory`.
  init(point: [UInt8], scalar: UnsafeRawBufferPointer? = nil) throws(CipherError) {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .outOfMemory }
    defer { EVP_PKEY_CTX_free(context) }
    var (point, made) = (point, OpaquePointer?.none)
    // The library wants the number in the machine's own order.
    let status = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: P256.scalarLength) { number -> Int32 in
      guard let scalar else { return holdfast_p256_key(context, &made, &point, point.count, nil, 0) }
      guard scalar.count == number.count else { return 0 }
      for (index, byte) in scalar.enumerated() {
        number[Self.isLittleEndian ? number.count - 1 - index : index] = byte
      }
      defer { OPENSSL_cleanse(number.baseAddress, number.count) }
      return holdfast_p256_key(context, &made, &point, point.count, number.baseAddress, number.count)
    }
    guard status == 1, let made else {
      ERR_clear_error()
      throw .notOnCurve
    }
    raw = made
  }

  deinit { EVP_PKEY_free(raw) }

  /// One operation with the key.
  func withContext<R>(_ body: (OpaquePointer) throws(CipherError) -> R) throws(CipherError) -> R {
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, raw, nil) else { throw .outOfMemory }
    defer { EVP_PKEY_CTX_free(context) }
    return try body(context)
  }
}
