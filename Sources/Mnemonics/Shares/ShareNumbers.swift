/// What a share says about itself and its kit: the first four words (SLIP-39, "Format of the share mnemonic"). Not secret.
public struct ShareNumbers: Sendable, Equatable {
  /// 15 bits, random: the same in all shares of a kit.
  public let identifier: UInt16
  /// Whether further kits of the same secret and passphrase may be made; the identifier is then no part of the encryption.
  public let isExtendable: Bool
  /// 0 to 15: PBKDF2 takes 10,000 · 2^e iterations.
  public let exponent: Int
  /// The first is 0.
  public let groupIndex: Int
  /// 1 to `groupCount`.
  public let groupThreshold: Int
  /// 1 to 16.
  public let groupCount: Int
  /// The first is 0.
  public let memberIndex: Int
  /// 1 to 16.
  public let memberThreshold: Int

  /// Whether both say the same about the kit.
  func isSameKit(as other: ShareNumbers) -> Bool {
    identifier == other.identifier && isExtendable == other.isExtendable
  }

  func hasSameRules(as other: ShareNumbers) -> Bool {
    exponent == other.exponent && groupThreshold == other.groupThreshold && groupCount == other.groupCount
      && (groupIndex != other.groupIndex || memberThreshold == other.memberThreshold)
  }
}

extension ShareNumbers {
  /// Words.
  static let length = 4

  /// Four words as 40 bits.
  var packed: UInt64 {
    var bits = UInt64(identifier & 0x7fff)
    for (value, width) in [
      (isExtendable ? 1 : 0, 1), (exponent, 4), (groupIndex, 4), (groupThreshold - 1, 4), (groupCount - 1, 4),
      (memberIndex, 4), (memberThreshold - 1, 4),
    ] { bits = bits << UInt64(width) | UInt64(value) & (1 << UInt64(width) - 1) }
    return bits
  }

  /// - Parameter bits: 40; any pattern is read.
  init(packed bits: UInt64) {
    func four(_ shift: UInt64) -> Int { Int(bits >> shift & 15) }
    identifier = UInt16(bits >> 25 & 0x7fff)
    isExtendable = bits >> 24 & 1 == 1
    exponent = four(20)
    groupIndex = four(16)
    groupThreshold = four(12) + 1
    groupCount = four(8) + 1
    memberIndex = four(4)
    memberThreshold = four(0) + 1
  }
}
