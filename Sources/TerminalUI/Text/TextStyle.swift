/// How a part of a text looks on a terminal with colours.
///
/// The raw value is the mark that stands before such a part: a control character, which has no width and which `printable` leaves in nobody's
/// text. So a text is laid out with its marks, and `painted` makes escape sequences of them at the end.
public enum TextStyle: UInt8, CaseIterable, Sendable {
  /// A heading or a label.
  case bold = 1
  /// What matters less, such as an id.
  case faint
  case good
  case careful
  case bad

  /// The parameters of its escape sequence (SGR of ECMA-48).
  fileprivate var parameters: String {
    switch self {
    case .bold: "1"
    case .faint: "2"
    case .good: "32"
    case .careful: "33"
    case .bad: "31"
    }
  }
}

/// The mark behind a styled part.
private let end: UInt8 = 6

/// Marks a part of a text. Parts are not put into each other.
/// - Parameter isWanted: whether there are colours; without them the text stays as it is.
public func styled(_ text: String, _ style: TextStyle, if isWanted: Bool = true) -> String {
  guard isWanted, !text.isEmpty else { return text }
  return String(decoding: [style.rawValue] + Array(text.utf8) + [end], as: UTF8.self)
}

/// The text with escape sequences in the place of its marks. Each line ends unstyled.
public func painted(_ text: String) -> String {
  guard text.utf8.contains(where: isMark) else { return text }
  var (result, style): ([UInt8], TextStyle?) = ([], nil)
  for byte in text.utf8 {
    if byte == UInt8(ascii: "\n"), let style {
      result += reset + [byte] + begin(style)
    } else if isMark(byte) {
      style = TextStyle(rawValue: byte)
      result += style.map(begin) ?? reset
    } else {
      result.append(byte)
    }
  }
  return String(decoding: result, as: UTF8.self)
}

/// The text without marks.
public func unstyled(_ text: String) -> String { String(decoding: text.utf8.filter { !isMark($0) }, as: UTF8.self) }

private let reset = Array("\u{1B}[0m".utf8)

private func begin(_ style: TextStyle) -> [UInt8] { Array("\u{1B}[\(style.parameters)m".utf8) }

private func isMark(_ byte: UInt8) -> Bool { (TextStyle.bold.rawValue...end).contains(byte) }
