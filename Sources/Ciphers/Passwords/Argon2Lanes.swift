import Platform
public import SecretMemory

/// Argon2id version 1.3 with several lanes (RFC 9106), through libargon2: libsodium knows one lane only, other programs use more.
///
/// The library is loaded when it is first needed.
public enum Argon2Lanes {
  /// The file that has it; Debian's package is libargon2-1.
  public static let library: StaticString = "libargon2.so.1"

  private typealias Hash =
    @convention(c) (
      UInt32, UInt32, UInt32, UnsafeRawPointer?, Int, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int
    ) -> Int32

  private static let hash: Hash? = {
    guard let handle = dlopen("\(library)", RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(handle, "argon2id_hash_raw") else {
      return nil
    }
    return unsafeBitCast(symbol, to: Hash.self)  // as argon2.h declares it
  }()

  /// Whether the library is here.
  public static var isAvailable: Bool { hash != nil }

  /// - Parameters:
  ///   - salt: 8 bytes or more.
  ///   - memory: in KiB, 8 for each lane or more. Passes, lanes: 1 or more; each lane takes a thread.
  ///   - count: length of the key in bytes, 4 or more.
  /// - Throws: `.library` when it is not here, `.costOutOfRange`, `.outOfMemory`.
  public static func key(
    password: UnsafeRawBufferPointer, salt: [UInt8], memory: UInt32, passes: UInt32, lanes: UInt32, count: Int
  ) throws(CipherError) -> SecretBytes {
    guard let hash else { throw .library("libargon2") }
    guard (1...16).contains(lanes), passes >= 1, memory >= 8 * lanes, memory <= 4 << 20 else { throw .costOutOfRange }
    return try SecretBytes.filled(count) { (target) throws(CipherError) in
      let status = salt.withUnsafeBytes { salt in
        hash(passes, memory, lanes, password.start, password.count, salt.start, salt.count, target.start, target.count)
      }
      guard status == 0 else { throw status == outOfMemory ? CipherError.outOfMemory : .costOutOfRange }
    }
  }

  /// ARGON2_MEMORY_ALLOCATION_ERROR.
  private static let outOfMemory: Int32 = -22
}
