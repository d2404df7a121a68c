#if HOLDFAST_FUZZING
  import Encodings

  /// Cheap stand-ins for the curve, so that the fuzzer spends its time on our logic. NO SECURITY AT ALL.
  ///
  /// Compiled only under `HOLDFAST_FUZZING`, which Package.swift defines for the fuzzer alone. That package has no `holdfast` program,
  /// and the program refuses to compile under it. What calls them sees the same rules as with the curve: a signature is valid if and
  /// only if it is the tag of this message and this key, and two keys share one secret, whichever side computes it.
  enum FuzzStandIn {
    /// In a program that holds this text, anybody can forge: `Fuzz/check-stand-in.sh` looks for it.
    static let marker: StaticString = "holdfast fuzzing stand-in: anybody can forge"

    /// The one valid signature of a message by a key.
    static func signature(ofMessage message: UnsafeRawBufferPointer, by key: PublicKey) -> Signature {
      var state = start(1)
      absorb(message, into: &state)
      key.bytes.withUnsafeBytes { absorb($0, into: &state) }
      return Signature(r: squeeze(&state), s: squeeze(&state))
    }

    /// The same for both sides.
    static func sharedX(_ one: PublicKey, _ other: PublicKey) -> Bytes32 {
      var state = start(2)
      for key in [min(one, other), max(one, other)] { key.bytes.withUnsafeBytes { absorb($0, into: &state) } }
      return squeeze(&state)
    }

    /// Whether the key is a point, as the curve says. Each input asks for the same few keys again and again, so the answers are kept.
    static func isOnCurve(_ key: PublicKey) -> Bool {
      let slot = key.bytes.withUnsafeBytes { Int($0.load(as: UInt16.self)) } % known.count
      if let (known, isOnCurve) = known[slot], known == key { return isOnCurve }
      let isOnCurve = key.isOnCurve
      known[slot] = (key, isOnCurve)
      return isOnCurve
    }

    /// Each key in the place that its first bytes name; the next one with that place takes it.
    private nonisolated(unsafe) static var known = [(PublicKey, Bool)?](repeating: nil, count: 4096)  // the fuzzer has one thread

    /// Goes over the marker, so that it stays in the program.
    private static func start(_ purpose: UInt64) -> UInt64 {
      var state = purpose
      absorb(UnsafeRawBufferPointer(start: marker.utf8Start, count: marker.utf8CodeUnitCount), into: &state)
      return state
    }

    private static func absorb(_ bytes: UnsafeRawBufferPointer, into state: inout UInt64) {
      state = mixed(state ^ UInt64(bytes.count))
      for byte in bytes.prefix(bytes.count % 8) { state = mixed(state ^ UInt64(byte)) }
      for offset in stride(from: bytes.count % 8, to: bytes.count, by: 8) {
        state = mixed(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
    }

    private static func squeeze(_ state: inout UInt64) -> Bytes32 {
      Bytes32 { target in
        for offset in stride(from: 0, to: 32, by: 8) {
          state = mixed(state)
          target.storeBytes(of: state, toByteOffset: offset, as: UInt64.self)
        }
      }
    }

    /// A step of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
      var value = value &+ 0x9e37_79b9_7f4a_7c15
      value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
      return value ^ value >> 31
    }
  }
#endif
