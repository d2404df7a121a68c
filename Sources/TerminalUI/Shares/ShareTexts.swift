import SecretMemory

/// Where the shares are in a text that may hold several: one a line, one a paragraph with its words below each other, or the JSON
/// that `recovery create --json` prints.
enum ShareTexts {
  /// A line with so many words is a share of its own.
  private static let fewestWords = 20
  private static let comment = UInt8(ascii: "#")
  private static let quote = UInt8(ascii: "\"")
  private static let lineBreak: UInt8 = 0x0A

  /// - Returns: the bytes of each share; neither empty lines nor such that begin with `#` belong to one.
  static func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    let start = text.firstIndex { $0 > 0x20 } ?? text.count
    if start < text.count, text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") { return quoted(text) }
    var (found, paragraph): ([Range<Int>], [Range<Int>]) = ([], [])
    func close() {
      guard let first = paragraph.first, let last = paragraph.last else { return }
      if paragraph.allSatisfy({ words(text, $0) >= fewestWords }) {
        found += paragraph
      } else {
        found.append(first.lowerBound..<last.upperBound)
      }
      paragraph = []
    }
    for line in lines(of: text) {
      if words(text, line) == 0 { close() } else if text[line.lowerBound] != comment { paragraph.append(line) }
    }
    close()
    return found
  }

  private static func lines(of text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var (lines, start): ([Range<Int>], Int) = ([], 0)
    for end in 0...text.count where end == text.count || text[end] == lineBreak {
      let first = text[start..<end].firstIndex { $0 > 0x20 } ?? end
      lines.append(first..<end)
      start = end + 1
    }
    return lines
  }

  /// Strings of a JSON text that have as many words as a share, and letters and spaces alone: sentences end in a full stop.
  private static func quoted(_ text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var (found, start): ([Range<Int>], Int) = ([], 0)
    for end in text.indices where text[end] == quote {
      let isOfWords = text[start..<end].allSatisfy { $0 <= 0x20 || $0 >= 0x80 || (0x61...0x7a).contains($0 | 0x20) }
      if isOfWords, words(text, start..<end) >= fewestWords { found.append(start..<end) }
      start = end + 1
    }
    return found
  }

  /// Runs of letters.
  private static func words(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var (count, isInside) = (0, false)
    for byte in text[range] {
      let isLetter = byte >= 0x80 || (0x61...0x7a).contains(byte | 0x20)
      if isLetter && !isInside { count += 1 }
      isInside = isLetter
    }
    return count
  }
}
