import Curve
public import Encodings

/// A number that is added to a group's key: for BIP-32 a plain one, for taproot (BIP-341) one of the x-only key.
public struct Tweak: Sendable, Hashable {
  /// Below the group order, big-endian.
  public let bytes: Bytes32
  /// Whether the key is first taken with the even y.
  public let isXOnly: Bool

  /// Does not check that the number is in range.
  public init(_ bytes: Bytes32, isXOnly: Bool) { (self.bytes, self.isXOnly) = (bytes, isXOnly) }
}

/// A group's key after tweaks (BIP-445, section "Tweaking the Threshold Public Key").
struct TweakedKey {
  private(set) var key: GroupElement
  /// Whether the sum of the shares counts negative.
  private(set) var isNegated = false
  /// The sum of the tweaks.
  private(set) var sum = PublicScalar.zero

  init(_ key: GroupElement, _ tweaks: [Tweak]) throws(ThresholdError) {
    self.key = key
    for tweak in tweaks { try apply(tweak) }
  }

  private mutating func apply(_ tweak: Tweak) throws(ThresholdError) {
    guard let number = PublicScalar(tweak.bytes) else { throw .tweakOutOfRange }
    if tweak.isXOnly, !key.hasEvenY { (key, isNegated, sum) = (-key, !isNegated, -sum) }
    key = key + GroupElement(number)
    guard !key.isInfinity else { throw .tweakedToInfinity }
    sum = sum + number
  }
}
