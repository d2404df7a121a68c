import COpenSSL
public import SecretMemory

extension SHA256 {
  /// PBKDF2-HMAC-SHA256 (RFC 8018), 32 bytes.
  /// - Parameter iterations: 1 or more.
  public static func pbkdf2(
    password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: Int32
  ) throws(CipherError) -> SecretBytes {
    try SecretBytes.filled(32) { (target) throws(CipherError) in
      let status = PKCS5_PBKDF2_HMAC(
        UnsafeRawPointer(password.start).assumingMemoryBound(to: CChar.self), Int32(clamping: password.count), salt.start,
        Int32(clamping: salt.count), iterations, EVP_sha256(), 32, target.start)
      guard status == 1 else { throw CipherError.library("PBKDF2") }
    }
  }
}
