import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// A command whose response is one identity after the change.
protocol IdentityCommand: OwnerCommand where Operation.Response == IdentitySummary {}

extension IdentityCommand {
  static func text(_ answer: IdentitySummary, _ reader: Reader) -> String { IdentityText.text(answer, colors: reader.colors) }
}

/// Texts about identities, for people.
enum IdentityText {
  /// Stands before a name: a dot in the identity's colour if there are colours, and its emoji.
  private static let dot = "\u{25cf}"

  static func list(_ identities: [IdentitySummary], _ reader: Reader) -> String {
    if identities.isEmpty { return "There is no identity yet. To make one: holdfast identity create NAME" }
    var table = TextTable(["NAME", "PUBLIC KEY", "CREATED", ""], keys: [1], spare: [2])
    for identity in identities {
      let marked = [reader.colors && identity.colour != nil ? dot : "", identity.emoji ?? "", identity.name]
      table.add([
        marked.filter { !$0.isEmpty }.joined(separator: " "), identity.npub, date(identity.created), marks(identity),
      ])
    }
    let text = table.text(for: reader)
    guard reader.colors else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = zip(lines.dropFirst(), identities).map { line, identity in paint(String(line), identity) }
    return ([String(lines.first ?? "")] + rows + lines.dropFirst(1 + rows.count).map(String.init)).joined(separator: "\n")
  }

  static func text(_ identity: IdentitySummary, colors: Bool) -> String {
    let signs = [colors && identity.colour != nil ? dot : identity.colour ?? "", identity.emoji ?? ""]
    let marks = marks(identity)
    let text = pairs([
      ("Name", shown(identity.name) + (marks.isEmpty ? "" : " (\(marks))")), ("npub", shown(identity.npub)),
      ("hex", shown(identity.pubkey)), ("Look", printable(signs.filter { !$0.isEmpty }.joined(separator: " "))),
      ("Origin", identity.origin.words + account(identity)), ("Same words as", ResponseTexts.list(identity.sameWords)),
      ("Class", shown(identity.protection) + ": " + identity.protection.meaning), ("Created", date(identity.created)),
      ("Relays", identity.relays.map { shown($0, limit: 512) }.joined(separator: "\n")),
      ("Notes", identity.notes.split(separator: "\n").map { printable(String($0), limit: 1000) }.joined(separator: "\n")),
    ])
    return colors ? paint(text, identity) : text
  }

  /// A text about a new identity and the next steps.
  static func made(_ identity: IdentitySummary, colors: Bool, _ line: Invocation) -> String {
    text(identity, colors: colors) + "\n" + NextSteps.afterIdentity(identity, line)
  }

  private static func account(_ identity: IdentitySummary) -> String {
    guard let account = identity.account else { return "" }
    let words = identity.origin == .derived ? "" : " of its words"
    return " (account \(account)\(words)\(identity.hasWordsPassphrase ? ", with a passphrase" : ""))"
  }

  private static func marks(_ identity: IdentitySummary) -> String {
    [identity.isDefault ? "default" : "", identity.isRetired ? "retired" : ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Colours the first dot of a line that was already made printable.
  private static func paint(_ text: String, _ identity: IdentitySummary) -> String {
    guard let place = text.unicodeScalars.firstIndex(of: "\u{25cf}"), let code = identity.colour.flatMap(escape) else {
      return text
    }
    let end = text.unicodeScalars.index(after: place)
    return String(text[..<place]) + "\u{1b}[\(code)m\(dot)\u{1b}[0m" + String(text[end...])
  }

  /// The terminal's escape sequence for `#rrggbb`. Nil for anything else.
  private static func escape(_ colour: String) -> String? {
    let digits = Array(colour.utf8)
    guard digits.count == 7, digits[0] == 0x23, let number = UInt32(colour.dropFirst(), radix: 16) else { return nil }
    return "38;2;\(number >> 16);\(number >> 8 & 255);\(number & 255)"
  }
}
