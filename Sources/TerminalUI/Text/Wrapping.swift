/// Breaks text into lines of at most `width` columns, between words. A longer word stands alone on its line.
///
/// A blank line in the text starts a new paragraph, which is a blank line in the result.
/// - Parameter cutsWords: whether a word that is longer than a line is cut. For text that a stranger may have written: what the
///   terminal itself breaks goes on at the left edge, outside of its column.
public func wrapped(_ text: String, width: Int, cutsWords: Bool = false) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
    let words = words(paragraph)
    return filled(cutsWords ? words.flatMap { cut($0, width) } : words, width)
  }
}

/// A text with its long lines broken between words, for a terminal. What continues a line begins below its first letter.
///
/// The value of a labelled line (`  App                 Coracle`) continues below the value's first letter, or below the label where there is
/// no room beside it, and a quoted line (`| text`) after a bar of its own. In these, a word that is too long is cut, so that it keeps to
/// its place, except for a key, which gets a line of its own. A line with more columns is part of a table and stays as it is. So is an
/// indented command. A command that the text suggests is kept whole, so that it can be copied: `…: holdfast up --relay URL` up to a
/// comma or the end, or `'holdfast init'`, and after a colon some of other programs, such as `…: export HOLDFAST_HOME=/srv/keys`.
public func broken(_ text: String, width: Int, program: String = "holdfast") -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    guard columnWidth(of: String(line)) > width else { return String(line) }
    return LongLine(line, width, program)?.text ?? String(line)
  }.joined(separator: "\n")
}

/// The words of a text. A mark that combines with a space begins the next word.
func words(_ text: Substring) -> [String] { text.unicodeScalars.split(separator: " ").map { String(Substring($0)) } }

/// Lines of whole pieces, with spaces between them.
public func filled(_ pieces: [String], _ width: Int) -> [String] {
  var lines = [""]
  var used = 0
  for piece in pieces {
    let columns = columnWidth(of: piece)
    if used == 0 {
      lines[lines.count - 1] = piece
      used = columns
    } else if used + 1 + columns <= width {
      lines[lines.count - 1] += " " + piece
      used += 1 + columns
    } else {
      lines.append(piece)
      used = columns
    }
  }
  return lines
}

/// A word in parts that fit a line each. Letters with their marks stay together, unless they alone are wider than a line.
func cut(_ word: String, _ width: Int) -> [String] {
  guard columnWidth(of: word) > width else { return [word] }
  var parts = [""]
  var used = 0
  for character in word {
    let whole = String(character)
    for part in columnWidth(of: whole) > width ? whole.unicodeScalars.map({ String($0) }) : [whole] {
      let columns = columnWidth(of: part)
      if used > 0, used + columns > width {
        parts.append("")
        used = 0
      }
      parts[parts.count - 1] += part
      used += columns
    }
  }
  return parts
}

extension String {
  /// The text followed by spaces up to `width` characters.
  public func padded(to width: Int) -> String { count >= width ? self : self + String(repeating: " ", count: width - count) }
}
