import CSodium
public import SecretMemory

/// ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): authenticated encryption with associated data.
///
/// Neither commits to its key: two keys can open one ciphertext. Where that matters, authenticate the key as well.
public enum ChaChaPoly {
  /// The length of the tag behind every ciphertext, in bytes.
  public static let tagLength = 16

  /// The nonce for the key: 12 bytes that must be counted, or 24 that may be random.
  public enum Variant: Sendable {
    case ietf, xchacha
    /// Length of the nonce in bytes.
    public var nonceLength: Int { self == .ietf ? 12 : 24 }
  }

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - nonce: `variant.nonceLength` bytes, never used twice with one key.
  /// - Returns: ciphertext followed by the 16-byte tag.
  public static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8], associated: [UInt8],
    variant: Variant = .xchacha
  ) throws(CipherError) -> [UInt8] {
    try check(key: key, nonce: nonce, variant)
    let sealing = variant == .ietf ? crypto_aead_chacha20poly1305_ietf_encrypt : crypto_aead_xchacha20poly1305_ietf_encrypt
    return try filledArray(plaintext.count + tagLength) { target in
      var length: UInt64 = 0
      _ = sealing(
        target.start, &length, plaintext.start, UInt64(plaintext.count),
        associated, UInt64(associated.count), nil, nonce, key.start)
      return Int(length)
    }
  }

  /// Seals in place, without an allocation. RFC 8439's variant with a nonce of zeros: only for keys that are used once.
  /// - Parameters:
  ///   - buffer: the plaintext and behind it 16 bytes of room for the tag.
  ///   - key: 32 bytes, never used for anything else.
  public static func sealOnce(
    inPlace buffer: UnsafeMutableRawBufferPointer, key: UnsafeRawBufferPointer, associated: UnsafeRawBufferPointer
  ) {
    precondition(key.count == 32 && buffer.count >= tagLength)  // our own bug, never a stranger's bytes
    withUnsafeTemporaryAllocation(byteCount: 12, alignment: 8) { nonce in
      nonce.initializeMemory(as: UInt8.self, repeating: 0)
      _ = crypto_aead_chacha20poly1305_ietf_encrypt(
        buffer.start, nil, buffer.start, UInt64(buffer.count - tagLength), associated.start, UInt64(associated.count), nil,
        nonce.start, key.start)
    }
  }

  /// - Parameter sealed: ciphertext and tag, at least 17 bytes (an empty secret cannot be kept).
  /// - Throws: `.notAuthentic` for any change of ciphertext, tag, nonce or associated data, and for another key.
  public static func open(
    _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8], associated: [UInt8],
    variant: Variant = .xchacha
  ) throws(CipherError) -> SecretBytes {
    guard sealed.count > tagLength else { throw .notAuthentic }
    return try SecretBytes.filled(sealed.count - tagLength) { (target) throws(CipherError) in
      try open(sealed, key: key, nonce: nonce, associated: associated, variant: variant, into: target)
    }
  }

  /// As `open`, for plaintext that is no secret and may be empty.
  public static func openPublic(
    _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8], associated: [UInt8],
    variant: Variant = .xchacha
  ) throws(CipherError) -> [UInt8] {
    guard sealed.count >= tagLength else { throw .notAuthentic }
    return try filledArray(sealed.count - tagLength) { (target) throws(CipherError) in
      try open(sealed, key: key, nonce: nonce, associated: associated, variant: variant, into: target)
      return target.count
    }
  }

  private static func open(
    _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8], associated: [UInt8], variant: Variant,
    into target: UnsafeMutableRawBufferPointer
  ) throws(CipherError) {
    try check(key: key, nonce: nonce, variant)
    let opening = variant == .ietf ? crypto_aead_chacha20poly1305_ietf_decrypt : crypto_aead_xchacha20poly1305_ietf_decrypt
    let status = opening(
      target.start, nil, nil,
      sealed.start, UInt64(sealed.count), associated, UInt64(associated.count),
      nonce, key.start)
    guard status == 0 else { throw .notAuthentic }
  }

  private static func check(key: UnsafeRawBufferPointer, nonce: [UInt8], _ variant: Variant) throws(CipherError) {
    try require(key, count: 32)
    guard nonce.count == variant.nonceLength else { throw .wrongLength(expected: variant.nonceLength, got: nonce.count) }
  }
}
