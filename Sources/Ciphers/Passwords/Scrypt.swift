import COpenSSL
public import SecretMemory

/// scrypt (RFC 7914).
public enum Scrypt {
  /// The most memory one call may take, in bytes. log2(N) = 22 with r = 8 stays below.
  public static let memoryLimit: UInt64 = 5 << 30

  /// - Parameters:
  ///   - logN: log2 of the cost N, 1 to 22; memory is 128 · r · N bytes.
  ///   - count: length of the key in bytes.
  public static func key(
    password: UnsafeRawBufferPointer, salt: [UInt8], logN: Int, r: UInt64 = 8, p: UInt64 = 1, count: Int
  ) throws(CipherError) -> SecretBytes {
    guard (1...22).contains(logN), r >= 1, r <= 64, p >= 1, p <= 64, (r << 7) << UInt64(logN) < memoryLimit else {
      throw .costOutOfRange
    }
    return try SecretBytes.filled(count) { (target) throws(CipherError) in
      // A null password means something else to OpenSSL than an empty one; `start` is never null.
      let text = UnsafeRawPointer(password.start).assumingMemoryBound(to: CChar.self)
      let status = EVP_PBE_scrypt(
        text, password.count, salt, salt.count, 1 << UInt64(logN), r, p, memoryLimit, target.start, target.count)
      guard status == 1 else { throw CipherError.outOfMemory }
    }
  }
}
