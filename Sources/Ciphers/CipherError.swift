import COpenSSL
import SecretMemory

/// Errors of the ciphers. No case carries key, plaintext or ciphertext.
public enum CipherError: Error, Equatable {
  case outOfMemory
  /// The ciphertext, its tag or its associated data was changed, or the key is another.
  case notAuthentic
  /// The padding of a CBC plaintext is wrong: altered, or another key.
  case badPadding
  /// A key, nonce or salt of the wrong length, in bytes.
  case wrongLength(expected: Int, got: Int)
  /// A cost parameter outside what this function allows.
  case costOutOfRange
  /// Bytes that are not a point of the curve.
  case notOnCurve
  /// A private key that is zero, or not below the order of the curve.
  case keyOutOfRange
  /// A file that holds no private key of the curve, or an encrypted one.
  case malformedKey
  /// Bytes that are no signature, whatever was signed.
  case malformedSignature
  /// The library refused a call that should not fail; its name for logs.
  case library(StaticString)

  /// Same case, same payload.
  public static func == (a: CipherError, b: CipherError) -> Bool { "\(a)" == "\(b)" }
}

extension SecretBytes {
  /// As the initializer, with both of its errors as a `CipherError`.
  static func filled(
    _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(CipherError) -> Void
  ) throws(CipherError) -> SecretBytes {
    do { return try SecretBytes(count: count, filling: fill) } catch {
      switch error {
      case .outOfMemory: throw .outOfMemory
      case .filling(let fault):
        ERR_clear_error()
        throw fault
      }
    }
  }
}

/// Throws unless a key, nonce or salt has its one right length.
func require(_ bytes: UnsafeRawBufferPointer, count: Int) throws(CipherError) {
  guard bytes.count == count else { throw .wrongLength(expected: count, got: bytes.count) }
}
