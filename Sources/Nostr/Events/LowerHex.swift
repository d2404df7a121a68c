import Encodings

/// Lower-case hex digits straight into place, eight at a time.
enum LowerHex {
  /// - Parameters:
  ///   - digits: any bytes.
  ///   - target: half as long, a multiple of 4 bytes.
  /// - Returns: false when the length does not fit or a byte is none of 0-9 and a-f; the target then holds rubbish.
  @inline(__always)
  static func decode(_ digits: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
    guard digits.count == target.count &* 2, target.count & 3 == 0, let source = digits.baseAddress,
      let start = target.baseAddress
    else { return false }
    var isValid = true
    var position = 0
    while position < digits.count {
      let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      isValid = isValid && isHex(word)
      start.storeBytes(of: fourBytes(word).littleEndian, toByteOffset: position >> 1, as: UInt32.self)
      position &+= 8
    }
    return isValid
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  // With the top bit of a byte clear, adding 0x80 - x sets it exactly when the byte is at least x; nothing carries over.
  @inline(__always)
  private static func isHex(_ word: UInt64) -> Bool {
    let tops = ones &* 0x80
    guard word & tops == 0 else { return false }
    let digit = (word &+ ones &* 0x50) & ~(word &+ ones &* 0x46)  // 0x30 to 0x39
    let letter = (word &+ ones &* 0x1f) & ~(word &+ ones &* 0x19)  // 0x61 to 0x66
    return (digit | letter) & tops == tops
  }

  @inline(__always)
  private static func fourBytes(_ word: UInt64) -> UInt32 {
    let nibbles = (word & (ones &* 0x0f)) &+ ((word >> 6) & ones) &* 9
    let pairs = (nibbles << 4 | nibbles >> 8) & 0x00ff_00ff_00ff_00ff
    let quads = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff
    return UInt32(truncatingIfNeeded: quads | quads >> 16)
  }
}

extension Bytes32 {
  /// - Returns: nil unless there are exactly 64 hex digits in lower case.
  init?(lowerHex digits: UnsafeRawBufferPointer) {
    self.init()
    guard withUnsafeMutableBytes({ LowerHex.decode(digits, into: $0) }) else { return nil }
  }
}
