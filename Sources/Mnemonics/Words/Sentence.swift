import SecretMemory

/// A mnemonic sentence in NFKD with the places of its words. The text is secret and stays in secret memory.
struct Sentence: ~Copyable {
  /// Where the words are. Their lengths are kept in ordinary memory; they say little, and the array dies with the sentence.
  let words: [Range<Int>]
  private let text: SecretBytes

  /// - Parameter typed: UTF-8 as a person typed or pasted it: any normalisation form, any white space between words.
  init(_ typed: borrowing SecretBytes) throws(MnemonicError) {
    text = try typed.withBytes { (bytes) throws(MnemonicError) in try nfkd(bytes) }
    words = text.withBytes { Sentence.words(in: $0) }
  }

  /// Reads every word of the list into its eleven bits.
  /// - Returns: zeros where not a single bit was set, up to 33 bytes in all.
  /// - Throws: `.unknownWord` with the first position that is not in the list.
  func bits(in list: WordList) throws(MnemonicError) -> SecretBytes {
    try secretBytes((words.count * 11 + 7) / 8) { (bits) throws(MnemonicError) in
      try text.withBytes { (text) throws(MnemonicError) in
        for (position, range) in words.enumerated() {
          guard let index = list.index(of: text.part(range)) else { throw .unknownWord(position: position + 1) }
          WordBits.set(index, at: position, in: bits)
        }
      }
    }
  }

  private static func words(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    for position in 0...text.count where position == text.count || isSpace(text[position]) {
      if position > start { words.append(start..<position) }
      start = position + 1
    }
    return words
  }

  // NFKD has made ordinary spaces of all of Unicode's, the ideographic one of Japanese among them.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
