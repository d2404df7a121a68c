import COpenSSL
public import SecretMemory

/// AES-GCM (NIST SP 800-38D) with a 12-byte nonce and a 16-byte tag; with a 256-bit key unless a standard wants 128.
public enum AESGCM {
  /// Which key goes with it.
  public enum Variant: Sendable {
    case aes256, aes128
    /// Length of the key in bytes.
    public var keyLength: Int { self == .aes256 ? 32 : 16 }
  }

  /// Bytes behind every ciphertext.
  public static let tagLength = 16
  /// Bytes.
  public static let nonceLength = 12

  /// - Parameters:
  ///   - key: `variant.keyLength` bytes.
  ///   - nonce: 12 bytes, never used twice with one key.
  /// - Returns: ciphertext followed by the 16-byte tag.
  public static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8], associated: [UInt8],
    variant: Variant = .aes256
  ) throws(CipherError) -> [UInt8] {
    let context = try CipherContext(variant.mode, key: key, nonce: nonce, nonceLength: nonceLength, encrypting: true)
    try context.associate(associated)
    return try filledArray(plaintext.count + tagLength) { (target) throws(CipherError) in
      try context.update(plaintext, into: target)
      try context.finish(at: target.start)
      guard context.control(EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), target.start + plaintext.count)
      else { throw CipherError.library("AES-GCM tag") }
      return target.count
    }
  }

  /// - Parameter sealed: ciphertext and tag, at least 17 bytes.
  /// - Throws: `.notAuthentic` for any change and for another key.
  public static func open(
    _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8], associated: [UInt8],
    variant: Variant = .aes256
  ) throws(CipherError) -> SecretBytes {
    guard sealed.count > tagLength else { throw .notAuthentic }
    let context = try CipherContext(variant.mode, key: key, nonce: nonce, nonceLength: nonceLength, encrypting: false)
    try context.associate(associated)
    let count = sealed.count - tagLength
    return try SecretBytes.filled(count) { (target) throws(CipherError) in
      try context.update(UnsafeRawBufferPointer(rebasing: sealed[0..<count]), into: target)
      var tag = [UInt8](sealed[count...])
      guard context.control(EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) else { throw CipherError.library("AES-GCM tag") }
      do { try context.finish(at: target.start) } catch { throw CipherError.notAuthentic }
    }
  }
}

/// AES-256-CBC with PKCS#7 padding, as NIP-04 uses it. Not authenticated: an attacker can change plaintexts.
public enum AESCBC {
  /// Bytes; one block.
  public static let ivLength = 16

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - iv: 16 unpredictable bytes.
  public static func encrypt(
    _ plaintext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, iv: [UInt8]
  ) throws(CipherError) -> [UInt8] {
    let context = try CipherContext(AESMode.cbc256, key: key, nonce: iv, nonceLength: ivLength, encrypting: true)
    return try filledArray(plaintext.count / 16 * 16 + 16) { (target) throws(CipherError) in
      let written = try context.update(plaintext, into: target)
      return written + (try context.finish(at: target.start + written))
    }
  }

  /// - Parameter ciphertext: a whole number of 16-byte blocks, one at least.
  /// - Throws: `.badPadding`; it says nothing about where.
  public static func decrypt(
    _ ciphertext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, iv: [UInt8]
  ) throws(CipherError) -> [UInt8] {
    guard ciphertext.count >= 16, ciphertext.count % 16 == 0 else { throw .badPadding }
    let context = try CipherContext(AESMode.cbc256, key: key, nonce: iv, nonceLength: ivLength, encrypting: false)
    return try filledArray(ciphertext.count + 16) { (target) throws(CipherError) in
      let written = try context.update(ciphertext, into: target)
      do { return written + (try context.finish(at: target.start + written)) } catch { throw CipherError.badPadding }
    }
  }
}

extension AESGCM.Variant {
  fileprivate var mode: AESMode { self == .aes256 ? .gcm256 : .gcm128 }
}

private enum AESMode {
  case gcm256, gcm128, cbc256

  var cipher: OpaquePointer? {
    switch self {
    case .gcm256: EVP_aes_256_gcm()
    case .gcm128: EVP_aes_128_gcm()
    case .cbc256: EVP_aes_256_cbc()
    }
  }

  var keyLength: Int { self == .gcm128 ? 16 : 32 }
}

/// One OpenSSL cipher context for one message.
private struct CipherContext: ~Copyable {
  private let raw: OpaquePointer

  init(_ mode: AESMode, key: UnsafeRawBufferPointer, nonce: [UInt8], nonceLength: Int, encrypting: Bool) throws(CipherError) {
    try require(key, count: mode.keyLength)
    guard nonce.count == nonceLength else { throw .wrongLength(expected: nonceLength, got: nonce.count) }
    guard let raw = EVP_CIPHER_CTX_new() else { throw .outOfMemory }
    guard EVP_CipherInit_ex(raw, mode.cipher, nil, key.start, nonce, encrypting ? 1 : 0) == 1 else {
      EVP_CIPHER_CTX_free(raw)
      throw .library("AES")
    }
    self.raw = raw
  }

  deinit { EVP_CIPHER_CTX_free(raw) }

  func associate(_ bytes: [UInt8]) throws(CipherError) {
    guard !bytes.isEmpty else { return }
    var written: Int32 = 0
    guard EVP_CipherUpdate(raw, nil, &written, bytes, Int32(clamping: bytes.count)) == 1 else { throw .library("AES") }
  }

  @discardableResult
  func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CipherError) -> Int {
    guard input.count > 0 else { return 0 }
    guard input.count <= 1 << 30, output.count >= input.count else { throw .wrongLength(expected: 1 << 30, got: input.count) }
    var written: Int32 = 0
    guard EVP_CipherUpdate(raw, output.start, &written, input.start, Int32(input.count)) == 1 else { throw .library("AES") }
    return Int(written)
  }

  @discardableResult
  func finish(at target: UnsafeMutablePointer<UInt8>) throws(CipherError) -> Int {
    // A last block of up to 16 bytes may be written: into a buffer of our own, for GCM writes none and has no room.
    var block = [UInt8](repeating: 0, count: 32)
    var written: Int32 = 0
    guard EVP_CipherFinal_ex(raw, &block, &written) == 1 else {
      ERR_clear_error()
      throw .library("AES")
    }
    if written > 0 { target.update(from: block, count: Int(written)) }
    wipe(&block)
    return Int(written)
  }

  func control(_ command: Int32, _ argument: Int32, _ pointer: UnsafeMutableRawPointer?) -> Bool {
    EVP_CIPHER_CTX_ctrl(raw, command, argument, pointer) == 1
  }
}
