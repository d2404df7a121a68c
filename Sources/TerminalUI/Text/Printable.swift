/// A stranger's text made safe for a terminal.
///
/// Control characters (ANSI sequences start with one), line separators, characters that reorder or hide what is around them or are
/// themselves invisible, and marks without a letter before them become `\u{…}`; spaces of all widths become one plain space each, at which
/// a line can be broken; text beyond `limit` characters is cut, with an ellipsis. What is left may still look like another name.
/// - Parameter limit: in Unicode scalars, 1 or more.
public func printable(_ text: String, limit: Int = 200) -> String {
  var result = ""
  var (count, last) = (0, Unicode.Scalar(" "))
  for scalar in text.unicodeScalars {
    if count == limit { return result + "…" }
    count += 1
    // `withoutCommands` put it there, so that what follows is no command.
    let isGuard = scalar.value == 0xA0 && result.utf8.suffix(programName.count).elementsEqual(programName)
    let isSpace = scalar.properties.generalCategory == .spaceSeparator && !isGuard
    if isUnsafe(scalar) || last == " " && combines(scalar) {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(isSpace ? " " : scalar)
    }
    last = isSpace ? " " : scalar
  }
  return result
}

/// The same with single spaces between words. Two spaces would look like the columns of a line.
public func printableWords(_ text: String, limit: Int = 200) -> String {
  words(Substring(printable(text, limit: limit))).joined(separator: " ")
}

private let programName = Array("holdfast".utf8)

/// JSON in which the characters that `printable` changes stand as `\uXXXX`. JSON has them within strings only.
func jsonForTerminal(_ json: String) -> String {
  var result = ""
  for scalar in json.unicodeScalars {
    guard isUnsafe(scalar) else {
      result.unicodeScalars.append(scalar)
      continue
    }
    for unit in UTF16.encode(scalar) ?? .init() {
      let digits = String(unit, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
  return result
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x200D, 0xFE0E, 0xFE0F: return false  // They keep emoji whole and change nothing around them.
  case 0x2800: return true  // The Braille pattern without dots looks like a space.
  default: break
  }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
  default: return scalar.properties.isDefaultIgnorableCodePoint
  }
}

/// Whether a character becomes part of what stands before it.
private func combines(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .spacingMark, .enclosingMark: true
  default: scalar.value == 0x200D
  }
}
