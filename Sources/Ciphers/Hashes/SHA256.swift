import COpenSSL
public import Encodings

/// SHA-256 (FIPS 180-4).
///
/// OpenSSL's low-level calls: on short inputs they cost half of what the EVP interface does.
public struct SHA256 {
  private var state = SHA256_CTX()

  /// The hash of nothing so far.
  public init() { SHA256_Init(&state) }

  /// The hash of `SHA256(tag) || SHA256(tag)` so far, as BIP-340 defines it.
  public init(tag: StaticString) {
    self.init()
    let digest = Self.digest(of: UnsafeRawBufferPointer(start: tag.utf8Start, count: tag.utf8CodeUnitCount))
    for _ in 0..<2 { digest.withUnsafeBytes { update($0) } }
  }

  /// Adds bytes; an empty buffer adds nothing.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) { SHA256_Update(&state, bytes.baseAddress, bytes.count) }

  /// Adds bytes.
  public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Ends the hash and wipes the state.
  /// - Parameter digest: 32 bytes.
  public mutating func finish(into digest: UnsafeMutableRawBufferPointer) {
    precondition(digest.count == 32)  // our own bug, never a stranger's bytes
    SHA256_Final(digest.start, &state)
    OPENSSL_cleanse(&state, MemoryLayout<SHA256_CTX>.size)
  }

  /// Ends the hash and wipes the state.
  /// - Returns: 32 bytes.
  public mutating func finish() -> Bytes32 { Bytes32 { finish(into: $0) } }

  /// The hash of the bytes, 32 bytes.
  public static func digest(of bytes: UnsafeRawBufferPointer) -> Bytes32 {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The hash of the bytes, 32 bytes.
  public static func digest(of bytes: [UInt8]) -> Bytes32 { bytes.withUnsafeBytes { digest(of: $0) } }

  /// `SHA256(SHA256(tag) || SHA256(tag) || bytes)`, as BIP-340 defines it.
  public static func tagged(_ tag: StaticString, _ bytes: UnsafeRawBufferPointer) -> Bytes32 {
    var hash = SHA256(tag: tag)
    hash.update(bytes)
    return hash.finish()
  }
}
