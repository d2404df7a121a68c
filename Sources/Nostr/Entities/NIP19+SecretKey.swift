public import Curve
public import SecretMemory

extension NIP19 {
  /// Reads an `nsec`. The bytes in between are wiped.
  /// - Throws: `.otherPrefix` for another kind of text, `.wrongLength`, `.invalidSecretKey`, or a fault of bech32.
  public static func secretKey(parsing text: borrowing SecretBytes) throws(EntityError) -> SecretKey {
    try text.withBytes { (text) throws(EntityError) in try secretKey(parsing: text) }
  }

  /// As above, for bytes that the caller owns and wipes.
  public static func secretKey(parsing text: UnsafeRawBufferPointer) throws(EntityError) -> SecretKey {
    try Bech32.withBytes(in: text, limit: longestText) { (prefix, bytes) throws(EntityError) in
      guard prefix.equals("nsec") else { throw EntityError.otherPrefix }
      guard bytes.count == 32 else { throw EntityError.wrongLength(bytes.count) }
      let secret = try secretBytes(32) { $0.copyMemory(from: bytes) }
      do throws(CurveError) { return try SecretKey(secret) } catch { throw EntityError(error) }
    }
  }

  /// The key as `nsec`: 63 characters of ASCII.
  /// - Throws: `.outOfMemory`.
  public static func text(of key: borrowing SecretKey) throws(EntityError) -> SecretBytes {
    try key.withBytes { (bytes) throws(EntityError) in
      try secretBytes(Bech32.encodedLength(prefix: "nsec", count: bytes.count)) { Bech32.encode(bytes, prefix: "nsec", into: $0) }
    }
  }
}

/// As `SecretBytes.init(count:filling:)` with this concept's error.
func secretBytes(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(EntityError) -> SecretBytes {
  do throws(SecretBytesError<Never>) { return try SecretBytes(count: count, filling: fill) } catch { throw .outOfMemory }
}
