import SecretMemory

/// A share as numbers of words, 0 to 1023: four of header, the value, three of checksum.
enum ShareSymbols {
  /// Bytes of a secret: 128 to 256 bits.
  static let secretLengths = 16...32
  private static let bits = 10
  /// Words that are not the value.
  private static let fixed = ShareNumbers.length + ShareChecksum.length

  /// Words.
  static func count(valueLength: Int) -> Int { fixed + (valueLength * 8 + bits - 1) / bits }

  /// - Returns: nil when no value gives so many words.
  static func valueLength(count: Int) -> Int? {
    secretLengths.first { $0 % 2 == 0 && Self.count(valueLength: $0) == count }
  }

  /// - Throws: `.wordCount`, `.checksum`, `.padding`, `.tooFewGroups`.
  static func read(_ symbols: UnsafeBufferPointer<UInt16>) throws(ShareTextError) -> (ShareNumbers, SecretBox) {
    guard let length = valueLength(count: symbols.count) else { throw .wordCount(symbols.count) }
    let numbers = ShareNumbers(packed: symbols.prefix(ShareNumbers.length).reduce(0) { $0 << 10 | UInt64($1) })
    guard ShareChecksum.holds(symbols, isExtendable: numbers.isExtendable) else { throw .checksum }
    guard numbers.groupThreshold <= numbers.groupCount else { throw .tooFewGroups }
    let words = UnsafeBufferPointer(rebasing: symbols[ShareNumbers.length..<symbols.count - ShareChecksum.length])
    let padding = words.count * bits - length * 8
    guard let first = words.first, first >> UInt16(bits - padding) == 0 else { throw .padding }
    do throws(SecretBytesError<Never>) {
      return (numbers, SecretBox(try SecretBytes(count: length) { value(of: words, padding, into: $0) }))
    } catch { throw .outOfMemory }
  }

  private static func value(
    of words: UnsafeBufferPointer<UInt16>, _ padding: Int, into target: UnsafeMutableRawBufferPointer
  ) {
    for bit in 0..<target.count * 8 {
      let place = bit + padding
      let isSet = words[place / bits] >> UInt16(bits - 1 - place % bits) & 1
      target[bit >> 3] |= UInt8(isSet) << UInt8(7 - bit & 7)
    }
  }

  /// - Returns: two bytes for each word, as the machine writes them.
  static func written(_ numbers: ShareNumbers, _ value: SecretBox) throws(ShareError) -> SecretBytes {
    let count = count(valueLength: value.count)
    return try shareBytes(count * 2) { bytes in
      let symbols = bytes.bindMemory(to: UInt16.self)
      for index in 0..<ShareNumbers.length {
        symbols[index] = UInt16(numbers.packed >> UInt64(bits * (ShareNumbers.length - 1 - index)) & 1023)
      }
      let padding = (count - fixed) * bits - value.count * 8
      value.withBytes { value in
        for bit in 0..<value.count * 8 {
          let place = bit + padding + ShareNumbers.length * bits
          let isSet = UInt16(value[bit >> 3] >> UInt8(7 - bit & 7) & 1)
          symbols[place / bits] |= isSet << UInt16(bits - 1 - place % bits)
        }
      }
      ShareChecksum.complete(symbols, isExtendable: numbers.isExtendable)
    }
  }
}
