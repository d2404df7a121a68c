import Encodings

/// Makes a stranger's text safe to show. Control and formatting characters can make one name look like another, or move a
/// terminal's cursor. Stacked marks on one letter can cover the lines around it.
public enum ShownText {
  /// The most combining marks in a row that are shown; no living script needs more.
  public static let longestMarks = 5
  /// The most line breaks in a row that `lines` keeps: a text cannot push what follows it out of sight.
  public static let longestGap = 3

  /// One line, cut to at most `limit` bytes of UTF-8 at a character's edge. Line breaks become spaces.
  public static func clean(_ text: String, limit: Int) -> String { cleaned(text, limit: limit, keepsLines: false).text }

  /// The same, and "…" after a text that was cut.
  public static func shortened(_ text: String, limit: Int) -> String {
    let (shown, isCut) = cleaned(text, limit: limit, keepsLines: false)
    return isCut ? shown + "…" : shown
  }

  /// What somebody else wrote, for use inside a sentence of ours: one line with single spaces, without quotation marks that would end ours,
  /// and without a command that would pass for one that we suggest.
  /// - Parameter limit: in bytes of UTF-8.
  public static func inSentence(_ text: String, limit: Int) -> String {
    let words = clean(text, limit: limit).unicodeScalars.split { $0.properties.isWhitespace }
    let line = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ").withoutCommands()
    return String(String.UnicodeScalarView(line.unicodeScalars.map { quotationMarks.contains($0) ? "\"" : $0 }))
  }

  /// The same in quotation marks, as a name stands in a sentence: `“Coracle”`.
  /// - Parameter limit: of the name, in bytes of UTF-8.
  public static func quoted(_ name: String, limit: Int) -> String { "“\(inSentence(name, limit: limit))”" }

  private static let quotationMarks: Set<Unicode.Scalar> = ["“", "”", "„", "‟"]

  /// Several lines, cut to at most `limit` bytes of UTF-8. The joiners that some scripts and emoji need are kept.
  public static func lines(_ text: String, limit: Int) -> (text: String, isCut: Bool) {
    cleaned(text, limit: limit, keepsLines: true)
  }

  /// Whether `lines` leaves out characters that nobody would see, such as those that turn the direction of writing.
  public static func hidesCharacters(of text: String) -> Bool {
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars where scalar != "\r" {
      guard let shown = shownInLines(scalar, after: last) else { return true }
      last = shown
    }
    return false
  }

  private static func cleaned(_ text: String, limit: Int, keepsLines: Bool) -> (text: String, isCut: Bool) {
    var (result, length, marks, gap) = (String.UnicodeScalarView(), 0, 0, 0)
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      guard let shown = keepsLines ? shownInLines(scalar, after: last) : shown(scalar) else { continue }
      // A mark without a letter would combine with what stands before the text, or with a space.
      if isMark(shown), last.map({ $0 == " " || $0 == "\n" }) ?? true { continue }
      marks = isMark(shown) ? marks + 1 : 0
      gap = shown == "\n" ? gap + 1 : 0
      if marks > longestMarks || gap > longestGap { continue }
      length += UTF8.width(shown)
      guard length <= limit else { return (String(result), true) }
      result.append(shown)
      last = shown
    }
    return (String(result), false)
  }

  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return asciiShown(scalar) }
    switch scalar.properties.generalCategory {
    case .lineSeparator, .paragraphSeparator: return " "
    case .control, .format, .surrogate, .privateUse, .unassigned: return nil
    default: break
    }
    switch scalar.value {
    case 0xFE0E, 0xFE0F: return scalar  // They choose how an emoji is drawn.
    case 0x2800: return " "  // The Braille pattern without dots looks like a space.
    default: return scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
    }
  }

  private static func asciiShown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.value >= 0x20 && scalar.value != 0x7F { return scalar }
    return scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : nil
  }

  // A joiner between letters that are not Latin holds an emoji or a word together; elsewhere it only hides.
  private static func shownInLines(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x0A, 0x2028, 0x2029: "\n"
    case 0x0D: nil
    case 0x200C, 0x200D: last.map { !$0.isASCII && $0.value != 0x200C && $0.value != 0x200D } == true ? scalar : nil
    default: shown(scalar)
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }
}
