import COpenSSL
public import Encodings
public import SecretMemory

extension P256 {
  /// A private key with its public one. Cannot be copied or printed; wiped with its owner.
  public struct PrivateKey: ~Copyable, Sendable {
    private let scalar: SecretBytes
    /// The point that belongs to it.
    public let publicKey: PublicKey

    /// - Parameter scalar: 32 bytes, most significant first.
    /// - Throws: `.wrongLength`; `.keyOutOfRange` for zero and for the group order or more.
    public init(_ scalar: consuming SecretBytes) throws(CipherError) {
      publicKey = try scalar.withBytes { (bytes) throws(CipherError) in
        try require(bytes, count: scalarLength)
        return try PublicKey(made: Self.point(of: bytes))
      }
      self.scalar = scalar
    }

    /// A fresh key from the system's generator.
    public static func random() throws(CipherError) -> PrivateKey {
      while true {
        let scalar: SecretBytes
        do { scalar = try SecretBytes(randomCount: scalarLength) } catch { throw .outOfMemory }
        // Out of range happens once in 2^32 tries; then the next one serves.
        do { return try PrivateKey(scalar) } catch { guard error == .keyOutOfRange else { throw error } }
      }
    }

    /// Lends the 32 bytes for the length of one call.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
      try scalar.withBytes(body)
    }

    /// ECDH (SP 800-56A, 5.7.1.2): the x coordinate of the common point, 32 bytes. Derive keys from it, never use it as one.
    public borrowing func sharedSecret(with peer: PublicKey) throws(CipherError) -> SecretBytes {
      let own = try libraryKey()
      let other = try P256Key(point: peer.bytes)
      return try SecretBytes.filled(scalarLength) { (target) throws(CipherError) in
        try own.withContext { (context) throws(CipherError) in
          var length = target.count
          guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other.raw) == 1,
            EVP_PKEY_derive(context, target.start, &length) == 1, length == target.count
          else { throw CipherError.library("ECDH") }
        }
      }
    }

    /// An ECDSA signature; its nonce comes from the system's generator, mixed with key and digest.
    /// - Parameter digest32: of SHA-256 usually.
    public borrowing func sign(_ digest32: Bytes32) throws(CipherError) -> Signature {
      let key = try libraryKey()
      return try key.withContext { (context) throws(CipherError) in
        var der = [UInt8](repeating: 0, count: Signature.maximumDERLength)
        var length = der.count
        let status = digest32.withUnsafeBytes { digest in
          EVP_PKEY_sign_init(context) == 1 ? EVP_PKEY_sign(context, &der, &length, digest.start, digest.count) : 0
        }
        guard status == 1, length <= der.count else { throw CipherError.library("ECDSA sign") }
        return try Signature(der: der[..<length])
      }
    }

    /// As `sign(_:)` for the SHA-256 of a message: ES256.
    public borrowing func sign(message: [UInt8]) throws(CipherError) -> Signature { try sign(SHA256.digest(of: message)) }

    private borrowing func libraryKey() throws(CipherError) -> P256Key {
      let point = publicKey.bytes
      return try scalar.withBytes { (bytes) throws(CipherError) in try P256Key(point: point, scalar: bytes) }
    }

    /// The scalar times the generator, uncompressed.
    private static func point(of scalar: UnsafeRawBufferPointer) throws(CipherError) -> [UInt8] {
      guard let group, let number = BN_bin2bn(scalar.start, Int32(scalarLength), nil) else { throw .outOfMemory }
      defer { BN_clear_free(number) }
      guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else { throw .keyOutOfRange }
      BN_set_flags(number, BN_FLG_CONSTTIME)
      guard let point = EC_POINT_new(group) else { throw .outOfMemory }
      defer { EC_POINT_free(point) }
      guard EC_POINT_mul(group, point, number, nil, nil, nil) == 1 else { throw .library("P-256 multiply") }
      return try filledArray(pointLength) { (target) throws(CipherError) in
        let written = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, target.start, target.count, nil)
        guard written == target.count else { throw CipherError.library("P-256 point") }
        return written
      }
    }
  }
}
