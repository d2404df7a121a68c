import CUtf8proc

/// How many columns a terminal gives the text: 2 for most of East Asia and for emoji, 0 for marks that combine.
///
/// Terminals differ in the newest emoji; control characters count 0 and belong escaped before.
///
/// Where terminals and utf8proc are known to differ, the larger width counts: what is too short by a column is seldom seen, what is too
/// long leaves its line.
package func columnWidth(of text: String) -> Int {
  var columns = 0
  var last: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    if let before = last, scalar.value == 0xFE0F, columnWidth(of: before) == 1 {
      columns += 1  // It asks for the emoji of the character before it, which is two columns wide.
    } else if let before = last, isRegionalIndicator(before), isRegionalIndicator(scalar) {
      last = nil  // The second half of a flag.
      continue
    } else {
      columns += columnWidth(of: scalar)
    }
    last = scalar
  }
  return columns
}

/// One half of a flag. A flag has two columns, and so has a half alone.
private func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

func columnWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
  switch scalar.value {
  case 0x3248...0x324F, 0x4DC0...0x4DFF, 0x1F1E6...0x1F1FF: return 2
  default:
    let width = Int(utf8proc_charwidth(Int32(bitPattern: scalar.value)))
    return width == 0 && scalar.properties.generalCategory == .spacingMark ? 1 : width
  }
}

/// The longest beginning of the text that fits `width` columns, with an ellipsis when something was cut.
package func fitted(_ text: String, width: Int) -> String {
  guard columnWidth(of: text) > width else { return text }
  var result = ""
  var used = 0
  for character in text {
    used += columnWidth(of: String(character))
    if used > width - 1 { break }
    result.append(character)
  }
  return result + "…"
}

/// The longest end of a path that fits `width` columns, from the start of a name where one fits, after an ellipsis when something was cut.
func fittedAtFront(_ path: String, width: Int) -> String {
  guard columnWidth(of: path) > width else { return path }
  var end = Substring()
  for start in path.indices.reversed() {
    guard columnWidth(of: String(path[start...])) < width else { break }
    end = path[start...]
  }
  return "…" + (end.firstIndex(of: "/").map { end[$0...] } ?? end)
}
