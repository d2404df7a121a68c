import CUtf8proc

/// How many columns a terminal gives the text: 2 for most of East Asia and for emoji, 0 for marks that combine.
///
/// Terminals differ in the newest emoji; control characters count 0 and belong escaped before.
func columnWidth(of text: String) -> Int {
  text.unicodeScalars.reduce(0) { $0 + Int(utf8proc_charwidth(Int32(bitPattern: $1.value))) }
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
