import COpenSSL

extension P256 {
  /// An ECDSA signature: r and s, as JOSE writes them (raw) or as WebAuthn does (DER).
  public struct Signature: Sendable, Hashable {
    /// Bytes of the longest DER form.
    public static let maximumDERLength = 72
    /// r, then s, 32 bytes each (IEEE P1363, RFC 7518 section 3.4); 64 bytes.
    public let raw: [UInt8]

    /// - Parameter raw: r and s, 64 bytes, possibly from a stranger. Whether the numbers are in range is seen when it is checked.
    /// - Throws: `.wrongLength`.
    public init(raw: some Collection<UInt8>) throws(CipherError) {
      guard raw.count == 2 * scalarLength else { throw .wrongLength(expected: 2 * scalarLength, got: raw.count) }
      self.raw = Array(raw)
    }

    /// - Parameter der: `ECDSA-Sig-Value` (RFC 3279, 2.2.3) in strict DER and nothing behind it, possibly from a stranger.
    /// - Throws: `.malformedSignature`.
    public init(der: some Collection<UInt8>) throws(CipherError) {
      let der = Array(der)
      guard der.count <= Self.maximumDERLength, let raw = Self.parsed(der) else { throw .malformedSignature }
      self.raw = raw
      // One encoding only: the library also reads forms that BER allows.
      guard self.der == der else { throw .malformedSignature }
    }

    /// `ECDSA-Sig-Value` in DER, up to 72 bytes; nil only without memory.
    public var der: [UInt8]? {
      guard let value = ECDSA_SIG_new() else { return nil }
      defer { ECDSA_SIG_free(value) }
      let r = raw.withUnsafeBytes { BN_bin2bn($0.start, Int32(scalarLength), nil) }
      let s = raw.withUnsafeBytes { BN_bin2bn($0.start + scalarLength, Int32(scalarLength), nil) }
      guard let r, let s, ECDSA_SIG_set0(value, r, s) == 1 else {
        BN_free(r)
        BN_free(s)
        return nil
      }
      return [UInt8](unsafeUninitializedCapacity: Self.maximumDERLength) { target, filled in
        var end = target.baseAddress
        filled = max(0, Int(i2d_ECDSA_SIG(value, &end)))
      }
    }

    private static func parsed(_ der: [UInt8]) -> [UInt8]? {
      der.withUnsafeBytes { bytes in
        var start: UnsafePointer<UInt8>? = bytes.start
        guard let value = d2i_ECDSA_SIG(nil, &start, bytes.count) else {
          ERR_clear_error()
          return nil
        }
        defer { ECDSA_SIG_free(value) }
        var raw = [UInt8](repeating: 0, count: 2 * scalarLength)
        let isRight = raw.withUnsafeMutableBytes { target in
          isWritten(ECDSA_SIG_get0_r(value), to: target.start)
            && isWritten(ECDSA_SIG_get0_s(value), to: target.start + scalarLength)
        }
        return isRight ? raw : nil
      }
    }

    /// False for a negative number and for one of more than 32 bytes.
    private static func isWritten(_ number: OpaquePointer?, to target: UnsafeMutablePointer<UInt8>) -> Bool {
      guard let number, BN_is_negative(number) == 0 else { return false }
      return BN_bn2binpad(number, target, Int32(scalarLength)) == Int32(scalarLength)
    }
  }
}
