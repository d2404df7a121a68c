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

extension String {
  /// The text followed by spaces up to `width` characters.
  public func padded(to width: Int) -> String { count >= width ? self : self + String(repeating: " ", count: width - count) }
}
