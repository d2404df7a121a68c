import COpenSSL
public import Encodings

extension P256 {
  /// A point of the curve, never the one at infinity.
  public struct PublicKey: Sendable, Hashable {
    /// Uncompressed (SEC 1, 2.3.3): 4, then x and y of 32 bytes each; 65 bytes.
    public let bytes: [UInt8]

    /// - Parameter bytes: an uncompressed point, 65 bytes, possibly from a stranger. Compressed and hybrid forms are refused.
    /// - Throws: `.wrongLength`, `.notOnCurve`.
    public init(_ bytes: some Collection<UInt8>) throws(CipherError) {
      let bytes = Array(bytes)
      guard bytes.count == pointLength else { throw .wrongLength(expected: pointLength, got: bytes.count) }
      guard bytes[0] == 4 else { throw .notOnCurve }
      _ = try P256Key(point: bytes)
      self.bytes = bytes
    }

    /// - Parameters:
    ///   - x: 32 bytes, as a COSE or JOSE key carries it.
    ///   - y: 32 bytes.
    /// - Throws: `.wrongLength`, `.notOnCurve`.
    public init(x: some Collection<UInt8>, y: some Collection<UInt8>) throws(CipherError) {
      guard x.count == scalarLength else { throw .wrongLength(expected: scalarLength, got: x.count) }
      try self.init([4] + x + y)
    }

    /// A point that the library made itself.
    init(made bytes: [UInt8]) { self.bytes = bytes }

    /// The first coordinate, 32 bytes.
    public var x: [UInt8] { Array(bytes[1...scalarLength]) }
    /// The second coordinate, 32 bytes.
    public var y: [UInt8] { Array(bytes[(1 + scalarLength)...]) }

    /// Whether this key's owner made the signature. Both values of s are taken, as WebAuthn and JOSE demand.
    /// - Parameter digest32: of SHA-256 usually.
    public func isValid(_ signature: Signature, of digest32: Bytes32) -> Bool {
      guard let der = signature.der, let key = try? P256Key(point: bytes) else { return false }
      defer { ERR_clear_error() }
      let status = try? key.withContext { (context) throws(CipherError) in
        guard EVP_PKEY_verify_init(context) == 1 else { throw CipherError.library("ECDSA verify") }
        return digest32.withUnsafeBytes { EVP_PKEY_verify(context, der, der.count, $0.start, $0.count) }
      }
      return status == 1
    }

    /// As `isValid(_:of:)` for the SHA-256 of a message: ES256.
    public func isValid(_ signature: Signature, ofMessage message: [UInt8]) -> Bool {
      isValid(signature, of: SHA256.digest(of: message))
    }
  }
}
