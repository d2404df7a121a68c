/// A small deterministic generator (SplitMix64), so that a failure can be repeated from the seed in its message.
public struct Repeatable: RandomNumberGenerator {
  private var state: UInt64

  /// The same seed gives the same numbers.
  public init(seed: UInt64) { state = seed }

  /// A new seed for each run, printed so that the run can be repeated.
  public static func announced(_ test: String = #function) -> Repeatable {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("\(test): seed \(seed)")
    return Repeatable(seed: seed)
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// So many bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
