import COpenSSL
public import SecretMemory

/// HKDF with SHA-256 (RFC 5869).
public enum HKDFSHA256 {
  /// The pseudorandom key, 32 bytes.
  public static func extract(
    salt: UnsafeRawBufferPointer, inputKey: UnsafeRawBufferPointer
  ) throws(CipherError) -> SecretBytes {
    try SecretBytes.filled(32) { target in
      var hmac = HMACSHA256(key: salt)
      hmac.update(inputKey)
      hmac.finish(into: target)
    }
  }

  /// - Parameter output: 1 to 8,160 bytes to fill.
  /// - Parameter pseudorandomKey: 32 bytes or more.
  public static func expand(
    pseudorandomKey: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) {
    precondition(output.count > 0 && output.count <= 255 * 32)  // our own bug, never a stranger's bytes
    withUnsafeTemporaryAllocation(byteCount: 33, alignment: 8) { block in
      let digest = UnsafeMutableRawBufferPointer(rebasing: block[0..<32])
      var filled = 0
      var counter: UInt8 = 1
      var keyed = HMACSHA256(key: pseudorandomKey)  // each block starts from a copy: taking in the key costs as much as the block
      while filled < output.count {
        var hmac = keyed
        if counter > 1 { hmac.update(UnsafeRawBufferPointer(digest)) }
        hmac.update(info)
        block[32] = counter
        hmac.update(UnsafeRawBufferPointer(rebasing: block[32..<33]))
        hmac.finish(into: digest)
        let count = min(32, output.count - filled)
        UnsafeMutableRawBufferPointer(rebasing: output[filled..<filled + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: digest[0..<count]))
        filled += count
        counter &+= 1
      }
      keyed.wipe()
      OPENSSL_cleanse(block.baseAddress, block.count)
    }
  }

  /// - Parameter count: 1 to 8,160 bytes.
  public static func expand(
    pseudorandomKey: borrowing SecretBytes, info: [UInt8], count: Int
  ) throws(CipherError) -> SecretBytes {
    try SecretBytes.filled(count) { target in
      pseudorandomKey.withBytes { key in
        info.withUnsafeBytes { expand(pseudorandomKey: key, info: $0, into: target) }
      }
    }
  }
}
