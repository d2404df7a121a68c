import COpenSSL
import Encodings

/// Encryption to an RSA key with OAEP, SHA-256 and MGF1-SHA-256, no label (RFC 8017, 7.1). Only the public half: the other one stays
/// in the hardware it is for.
public enum RSAOAEP {
  /// Lengths of a modulus that are taken, in bits.
  public static let modulusBits = 2048...4096
  /// The longest exponent that is taken, in bytes: a longer one only costs time.
  public static let maximumExponentLength = 4

  private static let isLittleEndian = UInt16(1).littleEndian == 1

  /// - Parameters:
  ///   - plaintext: at most the modulus' length less 66 bytes.
  ///   - modulus: most significant byte first, with or without a leading zero.
  ///   - exponent: most significant byte first; odd, 65537 or more.
  /// - Returns: as many bytes as the modulus has.
  /// - Throws: `.wrongLength` for a modulus out of range, `.keyOutOfRange` for such an exponent, `.library`.
  public static func encrypt(
    _ plaintext: UnsafeRawBufferPointer, modulus: [UInt8], exponent: [UInt8]
  ) throws(CipherError) -> [UInt8] {
    let (modulus, exponent) = (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
    let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    guard modulusBits.contains(bits) else { throw .wrongLength(expected: modulusBits.lowerBound / 8, got: modulus.count) }
    guard exponent.count <= maximumExponentLength, let last = exponent.last, last & 1 == 1,
      exponent.reduce(0, { $0 << 8 | UInt64($1) }) >= 65537
    else { throw .keyOutOfRange }
    let key = try PublicKey(modulus: modulus, exponent: exponent)
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.raw, nil) else { throw .outOfMemory }
    defer { EVP_PKEY_CTX_free(context) }
    return try filledArray(modulus.count) { (target) throws(CipherError) in
      var length = target.count
      guard EVP_PKEY_encrypt_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
        EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1, EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1,
        EVP_PKEY_encrypt(context, target.start, &length, plaintext.start, plaintext.count) == 1, length == target.count
      else {
        ERR_clear_error()
        throw CipherError.library("RSA-OAEP")
      }
      return length
    }
  }

  private struct PublicKey: ~Copyable {
    let raw: OpaquePointer

    init(modulus: [UInt8], exponent: [UInt8]) throws(CipherError) {
      guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { throw .outOfMemory }
      defer { EVP_PKEY_CTX_free(context) }
      // The library wants numbers in the machine's own order.
      var number = isLittleEndian ? modulus.reversed() : modulus
      var power = isLittleEndian ? exponent.reversed() : exponent
      var made: OpaquePointer?
      guard holdfast_rsa_key(context, &made, &number, number.count, &power, power.count) == 1, let made else {
        ERR_clear_error()
        throw .library("RSA key")
      }
      raw = made
    }

    deinit { EVP_PKEY_free(raw) }
  }
}
