import SecretMemory

/// The words of a share as people write and type them.
public enum ShareText {
  /// The longest text of one share, in bytes.
  public static let limit = 4096
  /// No more words than this are looked at: the longest share has 33.
  static let mostWords = 64
  /// So many letters are enough to identify a word.
  static let enoughLetters = 4

  /// - Returns: two bytes for each word, as the machine writes them.
  /// - Throws: `.wordCount`, `.unknownWord`.
  static func symbols(of text: UnsafeRawBufferPointer) throws(ShareTextError) -> SecretBytes {
    let words = words(in: text)
    guard text.count <= limit, !words.isEmpty, words.count <= mostWords else { throw .wordCount(words.count) }
    do throws(SecretBytesError<ShareTextError>) {
      return try SecretBytes(count: words.count * 2) { (bytes) throws(ShareTextError) in
        let symbols = bytes.bindMemory(to: UInt16.self)
        for (position, range) in words.enumerated() {
          guard let index = index(of: text.part(range)) else { throw .unknownWord(position: position + 1) }
          symbols[position] = index
        }
      }
    } catch {
      switch error {
      case .outOfMemory: throw .outOfMemory
      case .filling(let fault): throw fault
      }
    }
  }

  /// Where the words are: runs of letters, and of bytes beyond ASCII so that a stray letter of another alphabet is noticed.
  /// Everything else (spaces, numbers, dots, commas) stands between words. At most one more than `mostWords`.
  static func words(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var (words, position): ([Range<Int>], Int) = ([], 0)
    while position < text.count, words.count <= mostWords {
      let start = position
      while position < text.count, isLetter(text[position]) { position += 1 }
      if position > start { words.append(start..<position) } else { position += 1 }
    }
    return words
  }

  /// One space between words.
  static func text(of symbols: UnsafeBufferPointer<UInt16>) throws(ShareError) -> SecretBytes {
    try withUnsafeTemporaryAllocation(of: ShareWord.self, capacity: symbols.count) { (words) throws(ShareError) in
      defer { wipe(UnsafeMutableRawBufferPointer(words)) }
      for (place, symbol) in symbols.enumerated() { words[place] = ShareWord(at: symbol) }
      let length = words.reduce(symbols.count - 1) { $0 + $1.count }
      return try shareBytes(length) { text in
        var end = 0
        for word in words {
          end += word.write(to: text, from: end)
          guard end < length else { return }
          text[end] = 0x20
          end += 1
        }
      }
    }
  }

  /// - Returns: 0 to 1023, or nil when the list has no word that begins like this.
  static func index(of typed: UnsafeRawBufferPointer) -> UInt16? {
    guard (enoughLetters...ShareWord.longest).contains(typed.count) else { return nil }
    return ShareWord(typed).index(letters: typed.count)
  }

  static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x61...0x7a).contains(lowercase(byte)) }
}
