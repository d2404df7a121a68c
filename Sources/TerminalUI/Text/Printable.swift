/// A stranger's text made safe for a terminal.
///
/// Control characters (ANSI sequences start with one), line separators, and characters that reorder or hide what is around them
/// become `\u{…}`; spaces of all widths become one plain space each, at which a line can be broken; text beyond `limit` characters is cut, with an ellipsis. What is left may still look like another name.
/// - Parameter limit: in Unicode scalars, 1 or more.
public func printable(_ text: String, limit: Int = 200) -> String {
  var result = ""
  var count = 0
  for scalar in text.unicodeScalars {
    if count == limit { return result + "…" }
    count += 1
    if isUnsafe(scalar) {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else if scalar.properties.generalCategory == .spaceSeparator {
      result += " "
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

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
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
    // The joiner keeps emoji whole and changes nothing around it.
    return scalar.value != 0x200D
  default: return false
  }
}
