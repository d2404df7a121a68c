import SecretMemory

/// Bech32 (BIP-173), as NIP-19 uses it: the checksum of 1, not bech32m's, and no limit of 90 characters. What passes through may be
/// a secret key, so every buffer in between is wiped and nothing depends on a String.
package enum Bech32 {
  /// The 32 characters, by value.
  package static let digits: StaticString = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
  private static let checksumLength = 6
  private static let generator: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3
  )

  /// Lends the bytes inside a text.
  /// - Parameters:
  ///   - limit: the most characters.
  ///   - body: gets the prefix in lower case and the bytes.
  package static func withBytes<R: ~Copyable>(
    in text: UnsafeRawBufferPointer, limit: Int,
    _ body: (_ prefix: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) throws(EntityError) -> R
  ) throws(EntityError) -> R {
    guard text.count <= limit else { throw .tooLong(limit: limit) }
    return try withUnsafeTemporaryAllocation(byteCount: max(text.count, 1), alignment: 1) { (memory) throws(EntityError) -> R in
      defer { wipe(memory) }
      let lower = UnsafeMutableRawBufferPointer(rebasing: memory[0..<text.count])
      try lowerCase(text, into: lower)
      guard let separator = lower.lastIndex(of: UInt8(ascii: "1")), separator > 0 else { throw EntityError.missingPrefix }
      let prefix = UnsafeRawBufferPointer(rebasing: lower[0..<separator])
      let data = UnsafeMutableRawBufferPointer(rebasing: lower[(separator + 1)...])
      guard data.count >= checksumLength else { throw EntityError.tooShort }
      try takeValues(data, at: separator + 1)
      try check(prefix, UnsafeRawBufferPointer(data))
      let count = try regroup(UnsafeMutableRawBufferPointer(rebasing: data[0..<data.count - checksumLength]))
      return try body(prefix, UnsafeRawBufferPointer(rebasing: data[0..<count]))
    }
  }

  /// The number of characters that `encode` writes.
  static func encodedLength(prefix: StaticString, count: Int) -> Int {
    prefix.utf8CodeUnitCount + 1 + (count * 8 + 4) / 5 + checksumLength
  }

  /// - Parameter target: `encodedLength` bytes.
  static func encode(_ bytes: UnsafeRawBufferPointer, prefix: StaticString, into target: UnsafeMutableRawBufferPointer) {
    let name = UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    var checksum = Checksum(prefix: name)
    UnsafeMutableRawBufferPointer(rebasing: target[0..<name.count]).copyMemory(from: name)
    target[name.count] = UInt8(ascii: "1")
    var position = name.count + 1
    func put(_ value: UInt8) {
      checksum.add(value)
      target[position] = digits.utf8Start[Int(value)]
      position += 1
    }
    var (bits, held) = (0, UInt32(0))
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        put(UInt8(held >> UInt32(bits) & 31))
      }
      held &= 31
    }
    if bits > 0 { put(UInt8(held << UInt32(5 - bits) & 31)) }
    for value in checksum.digits { put(value) }
  }

  private static func lowerCase(
    _ text: UnsafeRawBufferPointer, into lower: UnsafeMutableRawBufferPointer
  ) throws(EntityError) {
    var (hasUpper, hasLower) = (false, false)
    for index in 0..<text.count {
      let byte = text[index]
      guard byte > 0x20, byte < 0x7f else { throw .invalidCharacter(at: index) }
      let isUpper = byte &- UInt8(ascii: "A") < 26
      hasUpper = hasUpper || isUpper
      hasLower = hasLower || byte &- UInt8(ascii: "a") < 26
      lower[index] = isUpper ? byte | 0x20 : byte
    }
    if hasUpper && hasLower { throw .mixedCase }
  }

  /// Turns the characters behind the separator into numbers from 0 to 31, in place.
  private static func takeValues(_ data: UnsafeMutableRawBufferPointer, at start: Int) throws(EntityError) {
    let alphabet = UnsafeRawBufferPointer(start: digits.utf8Start, count: 32)
    for index in 0..<data.count {
      guard let value = alphabet.firstIndex(of: data[index]) else { throw .invalidCharacter(at: start + index) }
      data[index] = UInt8(value)
    }
  }

  private static func check(_ prefix: UnsafeRawBufferPointer, _ values: UnsafeRawBufferPointer) throws(EntityError) {
    var checksum = Checksum(prefix: prefix)
    for value in values { checksum.add(value) }
    guard checksum.state != 0x2bc8_30a3 else { throw .bech32m }
    guard checksum.state == 1 else { throw .wrongChecksum }
  }

  /// Turns groups of five bits into bytes, in place.
  /// - Returns: the number of bytes.
  private static func regroup(_ values: UnsafeMutableRawBufferPointer) throws(EntityError) -> Int {
    var (bits, held, count) = (0, UInt32(0), 0)
    for index in 0..<values.count {
      held = held << 5 | UInt32(values[index])
      bits += 5
      guard bits >= 8 else { continue }
      bits -= 8
      values[count] = UInt8(truncatingIfNeeded: held >> UInt32(bits))  // never ahead of what is read
      held &= 1 << UInt32(bits) - 1
      count += 1
    }
    guard bits < 5, held == 0 else { throw .strayBits }
    return count
  }

  private struct Checksum {
    var state: UInt32 = 1

    init(prefix: UnsafeRawBufferPointer) {
      for byte in prefix { add(byte >> 5) }
      add(0)
      for byte in prefix { add(byte & 31) }
    }

    mutating func add(_ value: UInt8) {
      let top = state >> 25
      state = (state & 0x1ff_ffff) << 5 ^ UInt32(value)
      if top & 1 != 0 { state ^= generator.0 }
      if top & 2 != 0 { state ^= generator.1 }
      if top & 4 != 0 { state ^= generator.2 }
      if top & 8 != 0 { state ^= generator.3 }
      if top & 16 != 0 { state ^= generator.4 }
    }

    /// The six numbers that end the text.
    var digits: [UInt8] {
      var end = self
      for _ in 0..<checksumLength { end.add(0) }
      let remainder = end.state ^ 1
      return (0..<checksumLength).map { UInt8(remainder >> UInt32(5 * (checksumLength - 1 - $0)) & 31) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are those of the name.
  func equals(_ name: StaticString) -> Bool {
    elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}
