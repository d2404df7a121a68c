import COpenSSL
public import SecretMemory

extension P256.PrivateKey {
  /// The longest text of a key that is read, in bytes. One with attributes has some hundred.
  public static let maximumPEMLength = 16 << 10

  /// A key as tools and services hand it out: PKCS #8 (RFC 5958) or SEC 1 (RFC 5915) in PEM (RFC 7468), not encrypted.
  /// - Parameter pem: the file's bytes. Text around the key is skipped.
  /// - Throws: `.malformedKey` for anything else, also for an encrypted key and for one of another curve; `.outOfMemory`.
  public init(pem: borrowing SecretBytes) throws(CipherError) {
    defer { ERR_clear_error() }
    let key = try pem.withBytes { (bytes) throws(CipherError) in try Self.parse(bytes) }
    defer { EVP_PKEY_free(key) }
    guard holdfast_is_p256(key) == 1 else { throw .malformedKey }
    try self.init(
      SecretBytes.filled(P256.scalarLength) { (target) throws(CipherError) in
        guard holdfast_p256_number(key, target.start, target.count) == 1 else { throw CipherError.malformedKey }
      })
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer) throws(CipherError) -> OpaquePointer {
    guard !bytes.isEmpty, bytes.count <= maximumPEMLength else { throw .malformedKey }
    guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { throw .outOfMemory }
    defer { BIO_free(source) }
    // Without this, the library would ask the terminal for the passphrase of an encrypted key.
    guard let key = PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else { throw .malformedKey }
    return key
  }
}
