import CSodium

/// Takes the place of the system's randomness: the same numbers for each input, so that the same input takes the same way every time, and
/// the fuzzer does not take another nonce for something new. NO SECURITY AT ALL.
enum Randomness {
  private nonisolated(unsafe) static var state: UInt64 = 0  // the fuzzer has one thread
  // The fuzzer has one thread, and libsodium keeps the pointer.
  private nonisolated(unsafe) static let implementation = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)

  /// Before anything asks for randomness.
  static func install() {
    implementation.initialize(
      to: randombytes_implementation(
        implementation_name: { UnsafeRawPointer(StaticString("fuzzing").utf8Start).assumingMemoryBound(to: CChar.self) },
        random: { UInt32(truncatingIfNeeded: Randomness.next()) }, stir: nil, uniform: nil,
        buf: { target, count in Randomness.fill(UnsafeMutableRawBufferPointer(start: target, count: count)) }, close: nil))
    randombytes_set_implementation(implementation)
  }

  /// Before each input.
  static func restart() { state = 0 }

  private static func fill(_ target: UnsafeMutableRawBufferPointer) {
    for offset in target.indices { target[offset] = UInt8(truncatingIfNeeded: next()) }
  }

  /// A step of SplitMix64.
  private static func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
