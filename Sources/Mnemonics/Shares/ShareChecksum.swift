/// RS1024, the checksum of a share: three words that find any three wrong ones (SLIP-39, "Checksum").
enum ShareChecksum {
  /// Words.
  static let length = 3
  private static let generator: [UInt32] = [
    0x00e0_e040, 0x01c1_c080, 0x0383_8100, 0x0707_0200, 0x0e0e_0009, 0x1c0c_2412, 0x3808_6c24, 0x3090_fc48, 0x21b1_f890,
    0x03f3_f120,
  ]

  /// What stands before the words, so that a share of one sort is no share of the other.
  private static func customization(isExtendable: Bool) -> StaticString { isExtendable ? "shamir_extendable" : "shamir" }

  /// Whether the last three words are those of the words before.
  static func holds(_ symbols: UnsafeBufferPointer<UInt16>, isExtendable: Bool) -> Bool {
    remainder(symbols, isExtendable: isExtendable) == 1
  }

  /// Writes the last three words of `symbols`.
  static func complete(_ symbols: UnsafeMutableBufferPointer<UInt16>, isExtendable: Bool) {
    let start = symbols.count - length
    for index in start..<symbols.count { symbols[index] = 0 }
    let sum = remainder(UnsafeBufferPointer(symbols), isExtendable: isExtendable) ^ 1
    for index in 0..<length { symbols[start + index] = UInt16(sum >> UInt32(10 * (length - 1 - index)) & 1023) }
  }

  private static func remainder(_ symbols: UnsafeBufferPointer<UInt16>, isExtendable: Bool) -> UInt32 {
    var sum: UInt32 = 1
    for byte in customization(isExtendable: isExtendable).bytes { absorb(UInt32(byte), into: &sum) }
    for symbol in symbols { absorb(UInt32(symbol), into: &sum) }
    return sum
  }

  private static func absorb(_ symbol: UInt32, into sum: inout UInt32) {
    let top = sum >> 20
    sum = (sum & 0xfffff) << 10 ^ symbol
    for (bit, polynomial) in generator.enumerated() { sum ^= polynomial & (0 &- (top >> UInt32(bit) & 1)) }
  }
}
