import Platform

/// How long a search will take. Keys that were tried in vain do not make a hit more likely, so these are times from now on.
public struct VanityEstimate: Sendable, Equatable {
  /// In half of all searches the key is found within so many seconds.
  public let half: Double
  /// In 95 of 100 searches.
  public let most: Double

  /// - Parameter keysPerSecond: above zero.
  public init(_ pattern: VanityPattern, keysPerSecond: Double) {
    let average = exp2(Double(pattern.bits)) / max(keysPerSecond, 1)
    (half, most) = (average * log(2), average * log(20))
  }

  /// The chance that a search of so many keys has found one, 0 to 1: what a bar shows.
  public static func chance(_ pattern: VanityPattern, tried: UInt64) -> Double {
    -expm1(-Double(tried) / exp2(Double(pattern.bits)))
  }
}
