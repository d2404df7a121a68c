import COpenSSL
public import SecretMemory

extension SHA256 {
  /// PBKDF2-HMAC-SHA256 (RFC 8018) for one block of output.
  ///
  /// By the hash's own compression function: two compressions for each iteration and nothing else, the same cost as for an attacker.
  /// The library's PBKDF2 takes half as long again.
  /// - Parameters:
  ///   - iterations: 1 or more.
  ///   - count: 1 to 32 bytes.
  /// - Throws: `.costOutOfRange`, `.outOfMemory`.
  public static func pbkdf2(
    password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: Int, count: Int
  ) throws(CipherError) -> SecretBytes {
    guard iterations >= 1, (1...32).contains(count) else { throw .costOutOfRange }
    var first: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 1)  // the number of the block
    return try SecretBytes.filled(count) { (target) throws(CipherError) in
      withUnsafeTemporaryAllocation(of: ChainedHMAC.self, capacity: 1) { memory in
        guard let chain = memory.baseAddress else { return }
        defer { OPENSSL_cleanse(chain, MemoryLayout<ChainedHMAC>.size) }
        chain.initialize(to: ChainedHMAC())
        chain.pointee.start(key: password, salt, withUnsafeBytes(of: &first) { Array($0) })
        chain.pointee.xor(into: target)
        for _ in 1..<max(iterations, 1) {
          chain.pointee.step()
          chain.pointee.xor(into: target)
        }
      }
    }
  }
}

/// An HMAC whose message is the code before. All of it lies in one place, which its owner wipes.
private struct ChainedHMAC {
  private var inner = SHA256_CTX()
  private var outer = SHA256_CTX()
  private var work = SHA256_CTX()
  /// One block: 32 bytes of code, and the padding of a message of 64 + 32 bytes.
  private var block = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))

  /// The code of the salt and the number of the block.
  mutating func start(key: UnsafeRawBufferPointer, _ salt: UnsafeRawBufferPointer, _ number: [UInt8]) {
    absorb(key)
    work = inner
    SHA256_Update(&work, salt.baseAddress, salt.count)
    SHA256_Update(&work, number, number.count)
    withUnsafeMutableBytes(of: &block) { _ = SHA256_Final($0.start, &work) }
    pad()
    finishOuter()
  }

  mutating func step() {
    work.h = inner.h
    compress()
    place()
    finishOuter()
  }

  /// Adds the code to what was there.
  func xor(into target: UnsafeMutableRawBufferPointer) {
    withUnsafeBytes(of: block) { code in for index in 0..<target.count { target[index] ^= code[index] } }
  }

  private mutating func finishOuter() {
    work.h = outer.h
    compress()
    place()
  }

  private mutating func compress() { withUnsafeBytes(of: &block) { SHA256_Transform(&work, $0.start) } }

  /// The state of the hash as the first 32 bytes of the block.
  private mutating func place() {
    block.0 = UInt64(bigEndian: UInt64(work.h.0) << 32 | UInt64(work.h.1))
    block.1 = UInt64(bigEndian: UInt64(work.h.2) << 32 | UInt64(work.h.3))
    block.2 = UInt64(bigEndian: UInt64(work.h.4) << 32 | UInt64(work.h.5))
    block.3 = UInt64(bigEndian: UInt64(work.h.6) << 32 | UInt64(work.h.7))
  }

  private mutating func pad() {
    block.4 = UInt64(bigEndian: 0x80 << 56)
    (block.5, block.6) = (0, 0)
    block.7 = UInt64(bigEndian: (64 + 32) * 8)
  }

  /// The two states behind the padded key.
  private mutating func absorb(_ key: UnsafeRawBufferPointer) {
    SHA256_Init(&inner)
    SHA256_Init(&outer)
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { pad in
      _ = pad.initializeMemory(as: UInt8.self, repeating: 0)
      if key.count > 64 { COpenSSL.SHA256(key.start, key.count, pad.start) } else { pad.copyBytes(from: key) }
      for index in 0..<64 { pad[index] ^= 0x36 }
      SHA256_Update(&inner, pad.baseAddress, 64)
      for index in 0..<64 { pad[index] ^= 0x36 ^ 0x5c }
      SHA256_Update(&outer, pad.baseAddress, 64)
      OPENSSL_cleanse(pad.baseAddress, 64)
    }
  }
}
