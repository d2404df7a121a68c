/// Breaks text into lines of at most `width` columns, between words. A longer word stands alone on its line.
///
/// A blank line in the text starts a new paragraph, which is a blank line in the result.
/// - Parameter cutsWords: whether a word that is longer than a line is cut. For text that a stranger may have written: what the
///   terminal itself breaks goes on at the left edge, outside of its column.
public func wrapped(_ text: String, width: Int, cutsWords: Bool = false) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
    let words = paragraph.split(separator: " ").map { String($0) }
    return filled(cutsWords ? words.flatMap { cut($0, width) } : words, width)
  }
}

/// A text with its long lines broken between words, for a terminal. What continues a line begins below its first letter.
///
/// The value of a labelled line (`  App                 Coracle`) continues below the value's first letter, and a quoted line (`| text`)
/// after a bar of its own. In these, a word that is too long is cut, so that it keeps to its place. A line with more columns is part of a table and
/// stays as it is. So is an indented command. A command that the text suggests is kept whole, so that it can be copied:
/// `…: holdfast up --relay URL` up to a comma or the end, or `'holdfast init'`.
public func broken(_ text: String, width: Int, program: String = "holdfast") -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    guard columnWidth(of: String(line)) > width, let lead = Lead(line, width, program) else { return String(line) }
    let room = width - columnWidth(of: lead.first)
    let pieces = pieces(line.dropFirst(lead.first.count).split(separator: " "), lead, room, program)
    return lead.first + filled(pieces, room).joined(separator: "\n" + lead.next)
  }.joined(separator: "\n")
}

/// What stands before the words of a line, and before those that continue it.
private struct Lead {
  /// A value that would get less room than this, in columns, is not broken.
  private static let narrowestValue = 20

  let first: String
  let next: String
  /// Whether the words have a place that they must not leave.
  let isPlaced: Bool
  /// Whether all words are a stranger's. No command among them is ours.
  let isQuoted: Bool

  /// - Returns: nil for a line that stays as it is: of a table, or an indented command.
  init?(_ line: Substring, _ width: Int, _ program: String) {
    let indent = line.prefix { $0 == " " }
    let rest = line.dropFirst(indent.count)
    isQuoted = rest.hasPrefix("| ")
    if isQuoted {
      (first, next, isPlaced) = (indent + "| ", indent + "| ", true)
      return
    }
    guard let gap = rest.firstRange(of: "  ") else {
      let isCommand = !indent.isEmpty && [program, "export", "shred"].contains { rest.hasPrefix($0 + " ") }
      if isCommand { return nil }
      (first, next, isPlaced) = (String(indent), String(indent), !indent.isEmpty)
      return
    }
    let value = rest[gap.lowerBound...].drop { $0 == " " }
    first = String(line[..<value.startIndex])
    let column = columnWidth(of: first)
    guard !value.contains("  "), width - column >= Self.narrowestValue else { return nil }
    (next, isPlaced) = (String(repeating: " ", count: column), true)
  }
}

/// Lines of whole pieces.
private func filled(_ pieces: [String], _ width: Int) -> [String] {
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

/// A word in parts that fit a line each.
private func cut(_ word: String, _ width: Int) -> [String] {
  guard columnWidth(of: word) > width else { return [word] }
  var parts = [""]
  var used = 0
  for character in word {
    let columns = columnWidth(of: String(character))
    if used > 0, used + columns > width {
      parts.append("")
      used = 0
    }
    parts[parts.count - 1].append(character)
    used += columns
  }
  return parts
}

/// The words of a line, with each suggested command as one piece, unless it would leave the line's place.
private func pieces(_ words: [Substring], _ lead: Lead, _ room: Int, _ program: String) -> [String] {
  guard lead.isPlaced else { return suggestions(words, program).map { $0.joined(separator: " ") } }
  let suggestions = lead.isQuoted ? words.map { [$0] } : suggestions(words, program)
  return suggestions.flatMap { words in
    let whole = words.joined(separator: " ")
    return columnWidth(of: whole) <= room ? [whole] : words.flatMap { cut(String($0), room) }
  }
}

/// The words of a line, those of a suggested command together.
private func suggestions(_ words: [Substring], _ program: String) -> [[Substring]] {
  var found: [[Substring]] = []
  var isInside = false
  for word in words {
    if isInside { found[found.count - 1].append(word) } else { found.append([word]) }
    let begins = word == program || word == "'" + program
    if begins { isInside = true }
    if !begins, let end = word.last, ",.;')".contains(end) { isInside = false }
  }
  return found
}

extension String {
  /// The text followed by spaces up to `width` characters.
  public func padded(to width: Int) -> String { count >= width ? self : self + String(repeating: " ", count: width - count) }
}
