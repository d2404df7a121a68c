import COpenSSL
public import Encodings

/// HMAC with SHA-256 (RFC 2104). The keyed state is wiped when it is finished.
public struct HMACSHA256 {
  private var inner = SHA256_CTX()
  private var outer = SHA256_CTX()

  /// - Parameter key: any length; more than 64 bytes are hashed first.
  public init(key: UnsafeRawBufferPointer) {
    SHA256_Init(&inner)
    SHA256_Init(&outer)
    guard key.count <= 64 else {
      var short = SHA256.digest(of: key)
      short.withUnsafeMutableBytes { digest in
        absorb(UnsafeRawBufferPointer(digest))
        OPENSSL_cleanse(digest.baseAddress, digest.count)
      }
      return
    }
    absorb(key)
  }

  /// Adds bytes; an empty buffer adds nothing.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) { SHA256_Update(&inner, bytes.baseAddress, bytes.count) }

  /// Ends the code and wipes the keyed state.
  /// - Parameter code: 32 bytes.
  public mutating func finish(into code: UnsafeMutableRawBufferPointer) {
    precondition(code.count == 32)  // our own bug, never a stranger's bytes
    let target = code.start
    SHA256_Final(target, &inner)
    SHA256_Update(&outer, target, 32)
    SHA256_Final(target, &outer)
    wipe()
  }

  /// Wipes the keyed state, of a code that is not finished.
  mutating func wipe() {
    OPENSSL_cleanse(&inner, MemoryLayout<SHA256_CTX>.size)
    OPENSSL_cleanse(&outer, MemoryLayout<SHA256_CTX>.size)
  }

  /// Ends the code and wipes the keyed state.
  /// - Returns: 32 bytes. Not to be compared with `==` where a stranger can time it.
  public mutating func finish() -> Bytes32 { Bytes32 { finish(into: $0) } }

  /// The code of the given pieces, one after the other. 32 bytes.
  public static func code(key: UnsafeRawBufferPointer, _ pieces: UnsafeRawBufferPointer...) -> Bytes32 {
    var hmac = HMACSHA256(key: key)
    for piece in pieces { hmac.update(piece) }
    return hmac.finish()
  }

  private mutating func absorb(_ key: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { pad in
      for index in 0..<64 { pad[index] = (index < key.count ? key[index] : 0) ^ 0x36 }
      SHA256_Update(&inner, pad.baseAddress, 64)
      for index in 0..<64 { pad[index] ^= 0x36 ^ 0x5c }
      SHA256_Update(&outer, pad.baseAddress, 64)
      OPENSSL_cleanse(pad.baseAddress, 64)
    }
  }
}
