import COpenSSL
import CSodium

/// The ChaCha20 stream cipher (RFC 8439), counter from zero. Not authenticated: only for protocols that bring their own MAC.
public enum ChaCha20 {
  // libsodium needs no set-up and is faster on short inputs; OpenSSL is six times faster in bulk.
  private static let bulk = 2048

  /// Encrypts or decrypts.
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - nonce: 12 bytes, never used twice with one key.
  ///   - output: as long as `input`; may be the same memory.
  public static func apply(
    key: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, to input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(CipherError) {
    try require(key, count: 32)
    try require(nonce, count: 12)
    guard output.count == input.count else { throw .wrongLength(expected: input.count, got: output.count) }
    guard input.count > 0 else { return }
    let (source, target, keyStart) = (input.start, output.start, key.start)
    guard input.count >= bulk else {
      _ = crypto_stream_chacha20_ietf_xor_ic(target, source, UInt64(input.count), nonce.start, 0, keyStart)
      return
    }
    guard let context = EVP_CIPHER_CTX_new() else { throw .outOfMemory }
    defer { EVP_CIPHER_CTX_free(context) }
    var iv = [UInt8](repeating: 0, count: 4) + [UInt8](nonce)
    guard EVP_EncryptInit_ex(context, EVP_chacha20(), nil, keyStart, &iv) == 1 else { throw .library("ChaCha20") }
    try update(context, source, target, input.count)
  }

  // OpenSSL counts in Int32.
  private static func update(
    _ context: OpaquePointer, _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) throws(CipherError) {
    var done = 0
    while done < count {
      let piece = min(count - done, 1 << 30)
      var written: Int32 = 0
      guard EVP_EncryptUpdate(context, target + done, &written, source + done, Int32(piece)) == 1
      else { throw .library("ChaCha20") }
      done += piece
    }
  }
}
