import CSodium

/// The system's random generator (getrandom), through libsodium.
public enum SystemRandom {
  /// Fills the buffer. Does not fail: libsodium ends the process when the kernel has no generator.
  public static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let base = buffer.baseAddress else { return }
    randombytes_buf(base, buffer.count)
  }

  /// `count` fresh bytes that need not be wiped (nonces, public identifiers).
  public static func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      fill(UnsafeMutableRawBufferPointer(buffer))
      filled = count
    }
  }
}
