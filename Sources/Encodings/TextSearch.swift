// What these do is in the standard library, too, but its functions of that kind bring the library of regular expressions into the program: a
// megabyte, in programs that start for a few milliseconds. Packaging/small.sh fails if it comes in again.

extension String {
  /// Where another text first stands in this one, compared byte for byte; nil for nowhere, or for an empty text.
  package func firstIndex(ofText text: String) -> String.Index? {
    guard !text.isEmpty, utf8.count >= text.utf8.count else { return nil }
    return utf8.indices.dropLast(text.utf8.count - 1).first { utf8[$0...].starts(with: text.utf8) }
  }

  /// Whether another text stands in this one, compared byte for byte.
  package func includes(_ text: String) -> Bool { firstIndex(ofText: text) != nil }

  /// The text with each occurrence of another text replaced, from the start on; none is looked for in what was put in.
  package func replacing(text: String, by other: String) -> String {
    var (result, rest) = ("", self)
    while let index = rest.firstIndex(ofText: text) {
      result += rest[..<index] + other
      rest = String(rest[rest.utf8.index(index, offsetBy: text.utf8.count)...])
    }
    return result + rest
  }
}
