/// A stranger's text made fit to show: control and formatting characters can make one name look like another, or move a
/// terminal's cursor.
public enum ShownText {
  /// One line, cut to at most `limit` bytes of UTF-8 at a character's edge. Line breaks become spaces.
  public static func clean(_ text: String, limit: Int) -> String {
    var result = ""
    var length = 0
    for scalar in text.unicodeScalars {
      guard let shown = shown(scalar) else { continue }
      length += UTF8.width(shown)
      guard length <= limit else { break }
      result.unicodeScalars.append(shown)
    }
    return result
  }

  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .lineSeparator, .paragraphSeparator: " "
    case .control: scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : nil
    case .format, .surrogate, .privateUse, .unassigned: nil
    default: scalar
    }
  }
}
