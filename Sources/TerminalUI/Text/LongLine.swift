/// A line that is longer than a terminal is wide, in its parts.
///
/// It is taken apart by bytes: a stranger's text may begin with a mark that would combine with what stands before it.
struct LongLine {
  /// A value that would get less room than this beside its label, in columns, goes below it.
  private static let narrowestValue = 20
  /// With less room than this, in columns, the terminal itself breaks the line.
  private static let narrowest = 6
  /// The indentation of a value that is shown below its label.
  private static let below = "    "

  /// What stands before the first words.
  private let first: String
  /// What stands before the words of each further line.
  private let next: String
  private let words: [String]
  /// How many columns the words have.
  private let room: Int
  /// Whether the words are indented or labelled, so that each of their lines must begin at the same column.
  private let isPlaced: Bool
  /// Whether all words are a stranger's. No command among them is ours.
  private let isQuoted: Bool
  private let width: Int
  private let program: String

  /// - Returns: nil for a line that stays as it is: of a table, an indented command, or where there is no room.
  init?(_ line: Substring, _ width: Int, _ program: String) {
    let bytes = Array(line.utf8)
    let indent = bytes.prefix { $0 == Self.space }.count
    let isQuoted = bytes[indent...].starts(with: "| ".utf8)
    let gap = isQuoted ? nil : Self.gap(in: bytes[indent...])
    // Of a list of what is added, removed or warned of. What continues an entry must not look like the next one.
    let isEntry = indent > 0 && ["+ ", "- ", "! "].contains { bytes[indent...].starts(with: $0.utf8) }
    var start = isQuoted || isEntry && gap == nil ? indent + 2 : indent
    if let gap { start = bytes[gap...].firstIndex { $0 != Self.space } ?? bytes.count }
    let value = bytes[start...]
    if gap == nil, !isQuoted, !isEntry, indent > 0, Self.isCommand(value, program) { return nil }
    if gap != nil, Self.gap(in: value) != nil { return nil }
    (first, next, room) = Self.places(String(decoding: bytes[..<start], as: UTF8.self), isQuoted, isLabelled: gap != nil, width)
    (self.isQuoted, isPlaced) = (isQuoted, isQuoted || start > 0)
    guard !isPlaced || room >= Self.narrowest else { return nil }
    words = TerminalUI.words(Substring(decoding: value, as: UTF8.self))
    (self.width, self.program) = (width, program)
  }

  /// The line, broken.
  var text: String {
    let lines = filled(pieces, room)
    let start = isKeyOutside(lines[0]) ? Self.withoutSpaces(first) + "\n" + Self.below : first
    return start + lines.joined(separator: "\n" + next)
  }

  private static let space = UInt8(ascii: " ")

  /// Where two spaces stand, as between the columns of a line.
  private static func gap(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.dropLast().first { bytes[$0] == space && bytes[$0 + 1] == space }
  }

  /// What begins another program's command that a text suggests after a colon.
  private static let others: Set<String> = [
    "apt", "chmod", "export", "shred", "sudo", "systemctl", "timedatectl", "ulimit", "unset", "TMPDIR=FOLDER",
  ]

  private static func isCommand(_ bytes: ArraySlice<UInt8>, _ program: String) -> Bool {
    [program + " ", "export HOLDFAST_", "unset HOLDFAST_", "shred -"].contains { bytes.starts(with: $0.utf8) }
  }

  private static func places(
    _ lead: String, _ isQuoted: Bool, isLabelled: Bool, _ width: Int
  ) -> (first: String, next: String, room: Int) {
    let columns = columnWidth(of: lead)
    guard isLabelled, width - columns < narrowestValue else {
      return (lead, isQuoted ? lead : String(repeating: " ", count: columns), width - columns)
    }
    return (withoutSpaces(lead) + "\n" + below, below, width - below.utf8.count)
  }

  private static func withoutSpaces(_ text: String) -> String {
    String(decoding: text.utf8.reversed().drop { $0 == space }.reversed(), as: UTF8.self)
  }

  // MARK: words

  /// The words, with each suggested command as one piece.
  private var pieces: [String] {
    let groups = isQuoted ? words.map { [$0] } : suggestions
    guard isPlaced else { return groups.map { $0.joined(separator: " ") } }
    let key = words.first.flatMap { isKeyOutside($0) ? $0 : nil }
    return (key.map { [$0] } ?? [])
      + groups.dropFirst(key == nil ? 0 : 1).flatMap { words in
        let whole = words.joined(separator: " ")
        // No stranger's text has a command: `withoutCommands` has taken it out. So the terminal itself may break ours, for copying.
        let isOurs = words.count > 1 && (words[0] == program || words[0] == "'" + program)
        return isOurs || columnWidth(of: whole) <= room ? [whole] : words.flatMap { Self.isPermission($0) ? [$0] : cut($0, room) }
      }
  }

  /// The words, those of a suggested command together.
  private var suggestions: [[String]] {
    var found: [[String]] = []
    var isInside = false
    for word in words {
      // A remark behind a command is none of its words.
      if word.hasPrefix("(") { isInside = false }
      let isAnnounced = found.last?.last?.hasSuffix(":") == true
      if isInside { found[found.count - 1].append(word) } else { found.append([word]) }
      let begins = word == program || word == "'" + program || isAnnounced && Self.others.contains(word)
      if begins { isInside = true }
      if !begins, let end = word.last, ",.;')".contains(end) { isInside = false }
    }
    return found
  }

  /// Whether a word is a method with a key behind it, such as `nip44_decrypt@` and 64 hex digits. It is for copying, and holds no text of a
  /// stranger, so the terminal itself may break it.
  private static func isPermission(_ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 64 else { return false }
    let isMethod = parts[0].allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x3A).contains($0) || $0 == UInt8(ascii: "_") }
    return isMethod && parts[1].allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether a value begins with a key that fits a line of its own but not its place. It is for copying.
  private func isKeyOutside(_ word: String) -> Bool {
    let columns = word.utf8.count
    guard !isQuoted, columns > room, columns <= width - Self.below.utf8.count else { return false }
    let isHex = columns == 64 && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    let isEntity = columns == 63 && word.hasPrefix("npub1")
    return isHex || isEntity && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }
}
