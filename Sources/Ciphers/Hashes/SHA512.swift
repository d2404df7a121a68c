import COpenSSL
import Encodings
public import SecretMemory

/// SHA-512 (FIPS 180-4) and the two constructions over it that BIP-32 and BIP-39 use.
public enum SHA512 {
  /// 64 bytes.
  public static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64) { target, count in
      COpenSSL.SHA512(bytes.start, bytes.count, target.baseAddress)
      count = 64
    }
  }

  /// The hash of secret bytes.
  /// - Parameter target: 64 bytes.
  public static func write(digestOf bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    precondition(target.count == 64)  // our own bug, never a stranger's bytes
    COpenSSL.SHA512(bytes.start, bytes.count, target.start)
  }

  /// HMAC-SHA512 (RFC 2104), 64 bytes.
  public static func hmac(key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) throws(CipherError) -> SecretBytes {
    try SecretBytes.filled(64) { (target) throws(CipherError) in
      let code = HMAC(
        EVP_sha512(), key.baseAddress, Int32(clamping: key.count), bytes.start,
        bytes.count, target.start, nil)
      guard code != nil else { throw CipherError.library("HMAC") }
    }
  }

  /// PBKDF2-HMAC-SHA512 (RFC 8018), 64 bytes.
  public static func pbkdf2(
    password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: Int32
  ) throws(CipherError) -> SecretBytes {
    try SecretBytes.filled(64) { (target) throws(CipherError) in
      let status = PKCS5_PBKDF2_HMAC(
        password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: password.count),
        salt.start, Int32(clamping: salt.count), iterations, EVP_sha512(), 64,
        target.start)
      guard status == 1 else { throw CipherError.library("PBKDF2") }
    }
  }
}

/// SHA-256 followed by RIPEMD-160, the key identifier of BIP-32.
public enum Hash160 {
  /// 20 bytes.
  public static func digest(of bytes: UnsafeRawBufferPointer) throws(CipherError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    let status = SHA256.digest(of: bytes).withUnsafeBytes {
      EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_ripemd160(), nil)
    }
    guard status == 1 else { throw CipherError.library("RIPEMD-160") }
    return digest
  }
}
