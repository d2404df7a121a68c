import CommandLine
import JSON
import TerminalUI

/// Identities, in text.
extension ResultText {
  /// What stands before a name: a dot in the identity's colour where there are colours, and its emoji.
  private static let dot = "\u{25cf}"

  static func identities(_ result: JSONValue, colors: Bool) -> String {
    let list = result["identities"]?.array ?? []
    if list.isEmpty { return "There is no identity yet. Make one: holdfast identity create NAME" }
    var table = TextTable(["NAME", "PUBLIC KEY", "CREATED", ""], whole: [1])
    for entry in list {
      let look = [colors && entry["colour"]?.string != nil ? dot : "", plain(entry["emoji"]), plain(entry["name"])]
      table.add([
        look.filter { !$0.isEmpty }.joined(separator: " "), plain(entry["npub"]), date(entry["created"]), marks(entry),
      ])
    }
    guard colors else { return table.text }
    let lines = table.text.split(separator: "\n", omittingEmptySubsequences: false)
    let painted = zip(lines.dropFirst(), list).map { line, entry in paint(String(line), entry) }
    return ([String(lines.first ?? "")] + painted).joined(separator: "\n")
  }

  static func identity(_ result: JSONValue, colors: Bool) -> String {
    let look = [colors && result["colour"]?.string != nil ? dot : plain(result["colour"]), plain(result["emoji"])]
    let account = result["account"]?.integer.map {
      " (account \($0)\(result["words_passphrase"]?.bool == true ? ", with a passphrase" : ""))"
    }
    let text = pairs([
      ("Name", shown(result["name"]) + suffix(result)), ("npub", shown(result["npub"])), ("hex", shown(result["pubkey"])),
      ("Look", printable(look.filter { !$0.isEmpty }.joined(separator: " "))),
      ("Origin", shown(result["origin"]) + (account ?? "")), ("Same words as", list(result["same_words"])),
      ("Class", shown(result["class"])), ("Created", date(result["created"])),
      ("Relays", (result["relays"]?.array ?? []).map { shown($0, limit: 512) }.joined(separator: "\n")),
      ("Notes", plain(result["notes"]).split(separator: "\n").map { printable(String($0), limit: 1000) }.joined(separator: "\n")),
    ])
    return colors ? paint(text, result) : text
  }

  /// A new identity, and what to do with it.
  static func identityMade(_ result: JSONValue, colors: Bool) -> String {
    """
    \(identity(result, colors: colors))

    Next: make a kit on paper that brings everything back (holdfast recovery create), start the signer (holdfast up) unless it runs, and
    give an app a link (holdfast pair).
    """
  }

  private static func suffix(_ entry: JSONValue) -> String {
    let marks = marks(entry)
    return marks.isEmpty ? "" : " (\(marks))"
  }

  private static func marks(_ entry: JSONValue) -> String {
    [entry["default"]?.bool == true ? "default" : "", entry["retired"]?.bool == true ? "retired" : ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  /// Colours the first dot of a line that was made printable before.
  private static func paint(_ text: String, _ entry: JSONValue) -> String {
    guard let place = text.range(of: dot), let colour = entry["colour"]?.string, let code = escape(colour) else { return text }
    return text.replacing(place, with: "\u{1b}[\(code)m\(dot)\u{1b}[0m")
  }

  /// `#rrggbb` as a terminal takes it; nil for anything else.
  private static func escape(_ colour: String) -> String? {
    let digits = Array(colour.utf8)
    guard digits.count == 7, digits[0] == 0x23, let number = UInt32(colour.dropFirst(), radix: 16) else { return nil }
    return "38;2;\(number >> 16);\(number >> 8 & 255);\(number & 255)"
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<String.Index>? {
    guard let start = unicodeScalars.firstIndex(of: part.unicodeScalars.first ?? " ") else { return nil }
    return start..<unicodeScalars.index(after: start)
  }

  fileprivate func replacing(_ range: Range<String.Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
