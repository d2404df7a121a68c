import Mnemonics

/// What the terminal shows while shares are typed: a screen of its own, that leaves nothing behind.
struct ShareScreen {
  /// The other screen, empty.
  static let enter = "\u{1B}[?1049h\u{1B}[H\u{1B}[2J"
  /// What was shown is erased before the first screen comes back: a terminal without a second one keeps nothing, either.
  static let leave = "\u{1B}[H\u{1B}[J\u{1B}[0m\u{1B}[?1049l"

  /// Bytes of the largest screen.
  private static let capacity = 8192
  private static let columnWidth = 14
  private static let keys =
    "Four letters are enough. Space ends a word, Enter accepts the share. The arrow keys and Backspace go back, Ctrl-U clears a "
    + "word, Ctrl-R removes the last share, Ctrl-C gives up. Nothing stays on the screen."

  /// Above the words: which share this is.
  var title = ""
  /// Below them: what is wrong or right.
  var message = ""
  var columns = 80

  func draw(_ sheet: borrowing WordSheet) throws(SecretInputError) -> SecretText {
    var text = try SecretText(capacity: Self.capacity)
    text.add("\u{1B}[?25l\u{1B}[H" + title + "\u{1B}[K\r\n\u{1B}[K\r\n")
    let inRow = max(1, columns / Self.columnWidth)
    let places = max(sheet.count, sheet.cursor + 1)
    for place in 0..<places {
      add(place, of: sheet, to: &text)
      if (place + 1) % inRow == 0 || place + 1 == places { text.add("\u{1B}[K\r\n") }
    }
    text.add("\u{1B}[K\r\n" + lines(message) + "\u{1B}[K\r\n\u{1B}[K\r\n" + lines(Self.keys) + "\u{1B}[J")
    let (row, column) = (sheet.cursor / inRow + 3, sheet.cursor % inRow * Self.columnWidth + sheet.letters(at: sheet.cursor) + 5)
    text.add("\u{1B}[\(row);\(column)H\u{1B}[?25h")
    return text
  }

  /// Text that no terminal breaks by itself: the next drawing would not know of its lines.
  private func lines(_ text: String) -> String { wrapped(text, width: max(20, columns - 1)).joined(separator: "\u{1B}[K\r\n") }

  /// Number, word, and what is known of it: the letters that were not typed are pale, a word that is none has a question mark.
  private func add(_ place: Int, of sheet: borrowing WordSheet, to text: inout SecretText) {
    let typed = sheet.letters(at: place)
    text.add((place + 1 < 10 ? "  " : " ") + "\(place + 1) ")
    let shown = sheet.withWord(at: place) { word, match in
      text.add(UnsafeRawBufferPointer(rebasing: word.prefix(typed)))
      if word.count > typed {
        text.add("\u{1B}[2m")
        text.add(UnsafeRawBufferPointer(rebasing: word.dropFirst(typed)))
        text.add("\u{1B}[22m")
      }
      // A word that is still being typed may become one.
      let isOpen = match == .several && place == sheet.cursor
      if case .word = match { return word.count }
      if typed == 0 || isOpen { return typed }
      text.add("\u{1B}[7m?\u{1B}[27m")
      return typed + 1
    }
    text.add(String(repeating: " ", count: max(1, Self.columnWidth - 4 - shown)))
  }
}
