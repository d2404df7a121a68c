import CSodium
public import SecretMemory

/// Argon2id version 1.3 with one lane (RFC 9106), through libsodium.
public enum Argon2id {
  /// Memory in bytes (rounded down to KiB) and passes over it.
  public struct Cost: Sendable, Hashable {
    /// Bytes.
    public let memory: Int
    /// How often the memory is gone over.
    public let passes: Int

    /// What OWASP still calls acceptable: 19 MiB, two passes.
    public static let floor = Cost(uncheckedMemory: 19 << 20, passes: 2)
    /// More than any machine of ours calibrates to; a header that asks for more is refused before memory is taken.
    public static let ceiling = Cost(uncheckedMemory: 4 << 30, passes: 64)
    /// The most memory times passes, in bytes: some ten seconds. A header's cost is a stranger's until a key has opened it.
    static let mostWork = 16 << 30

    /// The most passes over so much memory.
    /// - Parameter memory: in bytes.
    public static func mostPasses(over memory: Int) -> Int { min(ceiling.passes, mostWork / max(memory, floor.memory)) }

    /// - Throws: `.costOutOfRange` below the floor or above the ceiling, or for more than 16 GiB of memory times passes.
    public init(memory: Int, passes: Int) throws(CipherError) {
      guard memory >= Self.floor.memory, memory <= Self.ceiling.memory else { throw .costOutOfRange }
      guard passes >= Self.floor.passes, passes <= Self.mostPasses(over: memory) else { throw .costOutOfRange }
      self.init(uncheckedMemory: memory, passes: passes)
    }

    private init(uncheckedMemory memory: Int, passes: Int) { (self.memory, self.passes) = (memory, passes) }
  }

  /// Bytes.
  public static let saltLength = 16

  /// - Parameters:
  ///   - salt: 16 bytes.
  ///   - count: length of the key in bytes, 16 or more.
  public static func key(
    password: UnsafeRawBufferPointer, salt: [UInt8], cost: Cost, count: Int
  ) throws(CipherError) -> SecretBytes {
    guard salt.count == saltLength else { throw .wrongLength(expected: saltLength, got: salt.count) }
    return try SecretBytes.filled(count) { (target) throws(CipherError) in
      let text = UnsafeRawPointer(password.start).assumingMemoryBound(to: CChar.self)
      let status = crypto_pwhash(
        target.start, UInt64(target.count), text, UInt64(password.count), salt, UInt64(cost.passes), cost.memory,
        crypto_pwhash_ALG_ARGON2ID13)
      guard status == 0 else { throw CipherError.outOfMemory }
    }
  }
}
