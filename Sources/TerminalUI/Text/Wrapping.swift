/// Breaks text into lines of at most `width` columns, between words. A longer word stands alone on its line.
///
/// A blank line in the text starts a new paragraph, which is a blank line in the result.
public func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
  }
  return lines
}

/// A text with its long lines broken between words, for a terminal. What continues a line begins below its first letter.
///
/// The value of a labelled line (`  App                 Coracle`) continues below the value's first letter, and a quoted line (`| text`)
/// after a bar of its own. A line with more columns is part of a table and stays as it is. A command that the text suggests is not
/// broken, so that it can be copied: `…: holdfast up --relay URL` up to a comma or the end, or `'holdfast init'`.
public func broken(_ text: String, width: Int, program: String = "holdfast") -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    guard line.count > width, let (first, next) = lead(line, width) else { return String(line) }
    let lines = brokenLine(line.dropFirst(first.count), width - first.count, program)
    return first + lines.joined(separator: "\n" + next)
  }.joined(separator: "\n")
}

/// A value that would get less room than this, in columns, is not broken.
private let narrowestValue = 20

/// What stands before the words of a line, and before the words that continue it; nil for a line of a table.
private func lead(_ line: Substring, _ width: Int) -> (first: String, next: String)? {
  let indent = line.prefix { $0 == " " }
  let rest = line.dropFirst(indent.count)
  if rest.hasPrefix("| ") { return (indent + "| ", indent + "| ") }
  guard let gap = rest.firstRange(of: "  ") else { return (String(indent), String(indent)) }
  let value = rest[gap.lowerBound...].drop { $0 == " " }
  let first = line[..<value.startIndex]
  guard !value.contains("  "), width - first.count >= narrowestValue else { return nil }
  return (String(first), String(repeating: " ", count: first.count))
}

private func brokenLine(_ text: Substring, _ width: Int, _ program: String) -> [String] {
  var lines = [""]
  for piece in pieces(text.split(separator: " "), program) {
    let last = lines[lines.count - 1]
    if last.isEmpty {
      lines[lines.count - 1] = piece
    } else if last.count + 1 + piece.count <= width {
      lines[lines.count - 1] += " " + piece
    } else {
      lines.append(piece)
    }
  }
  return lines
}

/// The words of a line, with each suggested command as one piece.
private func pieces(_ words: [Substring], _ program: String) -> [String] {
  var pieces: [String] = []
  var isInside = false
  for word in words {
    if isInside { pieces[pieces.count - 1] += " " + word } else { pieces.append(String(word)) }
    let begins = word == program || word == "'" + program
    if begins { isInside = true }
    if !begins, let end = word.last, ",.;')".contains(end) { isInside = false }
  }
  return pieces
}

extension String {
  /// The text followed by spaces up to `width` characters.
  public func padded(to width: Int) -> String { count >= width ? self : self + String(repeating: " ", count: width - count) }
}
