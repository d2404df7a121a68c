import CUtf8proc

/// How many columns a terminal gives the text: 2 for most of East Asia and for emoji, 0 for marks that combine.
///
/// Terminals differ in the newest emoji; control characters count 0 and belong escaped before.
///
/// Where terminals and utf8proc are known to differ, the larger width counts: what is too short by a column is seldom seen, what is too
/// long leaves its line.
func columnWidth(of text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + columnWidth(of: $1) } }

private func columnWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
  switch scalar.value {
  case 0x3248...0x324F, 0x4DC0...0x4DFF: return 2
  default:
    let width = Int(utf8proc_charwidth(Int32(bitPattern: scalar.value)))
    return width == 0 && scalar.properties.generalCategory == .spacingMark ? 1 : width
  }
}

/// The longest beginning of the text that fits `width` columns, with an ellipsis when something was cut.
func fitted(_ text: String, width: Int) -> String {
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
