public import SecretMemory

/// Secret words for a terminal: numbered, in columns that are read downwards, so that no word is broken where a line ends and none is
/// left out when they are written on paper. They are laid out in guarded memory and never become a `String`.
public enum WordColumns {
  private static let mostColumns = 4
  /// How many spaces stand between two columns, and before the first.
  private static let gap = 2
  /// The width of a word's number and of the space after it, in columns.
  private static let numberWidth = 3

  /// The words as lines, each with a line break.
  /// - Parameters:
  ///   - words: with spaces between them, or the ideographic space U+3000, in UTF-8.
  ///   - width: of the terminal, in columns.
  /// - Throws: `.outOfMemory`.
  public static func lines(_ words: UnsafeRawBufferPointer, width: Int) throws(SecretBytesError<Never>) -> SecretBuffer {
    let places = ranges(words)
    let longest = places.map { columnWidth(words[$0]) }.max() ?? 0
    let cell = numberWidth + longest + gap
    let columns = min(mostColumns, max(1, width / cell))
    let rows = (places.count + columns - 1) / columns
    var text = try SecretBuffer(capacity: max(1, words.count * 2 + places.count * cell))
    for row in 0..<rows {
      for index in stride(from: row, to: places.count, by: rows) {
        let number = "\(index + 1)"
        try text.append(spaces(gap + numberWidth - 1 - number.count) + Array((number + " ").utf8))
        try text.append(UnsafeRawBufferPointer(rebasing: words[places[index]]))
        let isLast = index + rows >= places.count
        if !isLast { try text.append(spaces(longest - columnWidth(words[places[index]]))) }
      }
      try text.append("\n")
    }
    return text
  }

  private static func spaces(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: max(0, count)) }

  private static func ranges(_ text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var (found, start): ([Range<Int>], Int) = ([], 0)
    var place = 0
    while place <= text.count {
      let length = place == text.count ? 1 : separator(text, place)
      if length > 0 {
        if place > start { found.append(start..<place) }
        (place, start) = (place + length, place + length)
      } else {
        place += 1
      }
    }
    return found
  }

  /// - Returns: how many bytes the space at this place has; 0 for none.
  private static func separator(_ text: UnsafeRawBufferPointer, _ place: Int) -> Int {
    if text[place] <= 0x20 { return 1 }
    let isIdeographic = place + 2 < text.count && text[place] == 0xE3 && text[place + 1] == 0x80 && text[place + 2] == 0x80
    return isIdeographic ? 3 : 0
  }

  private static func columnWidth(_ word: Slice<UnsafeRawBufferPointer>) -> Int {
    var (decoder, bytes, columns) = (UTF8(), word.makeIterator(), 0)
    while case .scalarValue(let scalar) = decoder.decode(&bytes) { columns += TerminalUI.columnWidth(of: scalar) }
    return columns
  }
}
