/// SplitMix64: small, and the same on every machine, so that a printed seed repeats a failure.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A new seed for each run, printed so that the run can be repeated.
  static func announced(_ test: String = #function) -> SeededGenerator {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("\(test): seed \(seed)")
    return SeededGenerator(seed: seed)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
