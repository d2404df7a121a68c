/// A secret for tests that look for leaks: bytes that follow from a number, so that the searcher needs no copy of them.
public struct Canary: Sendable {
  /// Bytes of the canary.
  public static let length = 32
  private let seed: UInt64
  private let masked: [UInt8]?

  /// The same number gives the same canary, also in another process.
  public init(_ seed: UInt64) { (self.seed, masked) = (seed, nil) }

  /// For a secret that came to be by chance: remembers it masked, so that the searcher is no copy.
  /// - Parameter secret: 32 bytes.
  public init(of secret: UnsafeRawBufferPointer) { (seed, masked) = (0, secret.map { $0 ^ Self.mask }) }

  private static let mask: UInt8 = 0xa5

  /// - Parameter index: 0 to 31.
  public func byte(_ index: Int) -> UInt8 {
    if let masked { return masked[index] ^ Self.mask }
    var random = Repeatable(seed: seed &+ UInt64(index) &* 0x5851_f42d)
    return UInt8(truncatingIfNeeded: random.next() >> 24)
  }

  /// Writes the canary. No other copy comes to be.
  public func plant(in target: UnsafeMutableRawBufferPointer) {
    for index in 0..<Self.length { target[index] = byte(index) }
  }

  /// A copy, for a search in another process's output.
  public var array: [UInt8] { (0..<Self.length).map(byte) }

  /// How often the canary stands in the bytes.
  public func occurrences(in bytes: UnsafeRawBufferPointer) -> Int {
    MemoryScan.occurrences(of: self, in: bytes)
  }
}
