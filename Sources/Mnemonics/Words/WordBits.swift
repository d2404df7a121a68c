import Ciphers
import SecretMemory

/// Entropy followed by its checksum, read and written eleven bits at a time (BIP-39, "Generating the mnemonic").
///
/// 16 to 32 bytes of entropy, then as many bits of its SHA-256 as a third of the words.
enum WordBits {
  static let wordCounts = [12, 15, 18, 21, 24]
  private static let bitsInWord = 11

  static func wordCount(entropyLength: Int) -> Int? { wordCounts.first { $0 * 4 / 3 == entropyLength } }

  /// The entropy with its whole SHA-256 behind it, from which every word index can be read.
  static func withChecksum(_ entropy: borrowing SecretBytes) throws(MnemonicError) -> SecretBytes {
    try entropy.withBytes { (entropy) throws(MnemonicError) in
      try secretBytes(entropy.count + 32) { bits in
        bits.place(entropy, at: 0)
        var hash = SHA256()
        hash.update(entropy)
        hash.finish(into: UnsafeMutableRawBufferPointer(rebasing: bits[entropy.count...]))
      }
    }
  }

  /// The index, 0 to 2047, of the word at `position`, the first being 0.
  static func index(at position: Int, in bits: UnsafeRawBufferPointer) -> Int {
    var index = 0
    for bit in position * bitsInWord..<(position + 1) * bitsInWord {
      index = index << 1 | Int(bits[bit >> 3] >> UInt8(7 - bit & 7) & 1)
    }
    return index
  }

  /// Writes the eleven bits of one word into zeroed memory.
  static func set(_ index: Int, at position: Int, in bits: UnsafeMutableRawBufferPointer) {
    for offset in 0..<bitsInWord where index >> (bitsInWord - 1 - offset) & 1 == 1 {
      let bit = position * bitsInWord + offset
      bits[bit >> 3] |= 0x80 >> UInt8(bit & 7)
    }
  }

  /// The entropy in the bits of `wordCount` words.
  /// - Throws: `.checksum` when the bits behind it are not those of its SHA-256.
  static func entropy(of bits: UnsafeRawBufferPointer, wordCount: Int) throws(MnemonicError) -> SecretBytes {
    let length = wordCount * 4 / 3
    let entropy = try secretBytes(length) { $0.copyMemory(from: bits.part(0..<length)) }
    let checksumBits = wordCount / 3
    let isRight = try withChecksum(entropy).withBytes { $0[length] ^ bits[length] < 1 << UInt8(8 - checksumBits) }
    guard isRight else { throw .checksum }
    return entropy
  }
}
