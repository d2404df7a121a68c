import Encodings
package import OwnerAPI
import TerminalUI

/// A waiting request in words. What apps wrote is after a bar or in quotes, so that it cannot pass for the signer's own words.
package enum RequestText {
  /// The most characters of one line of an app's text: as many as the signer sends of the whole text.
  private static let longestLine = 8 << 10
  /// The most characters of a profile field's value: as many as the signer sends.
  private static let longestField = 2 << 10
  /// The most characters of a profile field's name.
  private static let longestFieldName = 20

  /// What stands in the place of what a request says, in the console's words.
  package static let hidden = "What it says is hidden while the signer is locked."
  /// How it can be read.
  package static let reading = "Unlock to read: holdfast unlock"

  /// What a request would do, in a colour if it is no everyday one.
  package static func title(_ title: String, of request: WaitingRequest, _ colors: Bool) -> String {
    switch request.risk {
    case .usual: foreign(title)
    case .careful: styled(foreign(title), .careful, if: colors)
    case .grave: styled(foreign(title), .bad, if: colors)
    }
  }

  /// Everything except the raw text.
  /// - Parameter namesAnswers: whether the commands that show it exactly and answer it stand below; not where one letter answers it.
  package static func account(
    _ request: WaitingRequest, _ now: Int64, namesAnswers: Bool = true, colors: Bool = false
  ) -> String {
    let text = marked(request, now, namesAnswers)
    return colors ? text : unstyled(text)
  }

  private static func marked(_ request: WaitingRequest, _ now: Int64, _ namesAnswers: Bool) -> String {
    let id = shown(request.id)
    let heading = request.risk == .usual ? styled(foreign(request.title), .bold) : title(request.title, of: request, true)
    let mark = request.risk == .grave ? styled("!", .bad) + " " : ""
    var lines = ["\(styled(id, .faint))  \(mark)\(heading)", ""]
    lines += row("App", foreign(request.client.shownName) + " (\(shown(request.client.pubkey, limit: 16)))")
    lines += row("Says it is", foreign(request.client.url))
    lines += row("Identity", shown(request.identity.name))
    lines += row("Asked", ago(request.received, now: now) + repeats(request.repeats))
    lines += row("Because", shown(request.reason))
    lines.append("")
    if request.isHidden {
      lines += ["  \(hidden)", "", reading]
    } else {
      lines += request.parts.flatMap(part)
      if namesAnswers { lines += ["", "The exact request: holdfast request show \(id) --json"] }
    }
    if namesAnswers { lines.append(answers(id, isHidden: request.isHidden)) }
    return lines.joined(separator: "\n")
  }

  /// How much of a request stands in a question about it alone, and in one about several, in lines of a narrow terminal.
  private static let (mostLines, mostLinesOfMany) = (14, 5)
  /// The width of such a line, in characters.
  private static let narrow = 76
  /// The longest line of an app's text in a question, in characters.
  private static let longestInQuestion = 200
  /// The most fields of a profile that are repeated below what was cut.
  private static let mostFieldsRepeated = 3

  /// What it says, cut where it is long, and then everything that the signer warns of, next to the question.
  /// - Parameter isOneOfMany: whether the question is about several requests.
  package static func explanation(_ request: WaitingRequest, isOneOfMany: Bool = false) -> [String] {
    guard !request.isHidden else { return ["  " + hidden] }
    let lines = request.parts.filter { $0.type != .warning }.flatMap(part).map(unstyled)
    if lines.isEmpty, !request.summary.isEmpty { return ["  would \(shown(request.summary, limit: 400))"] + general(request) }
    let told = cut(lines, toRows: isOneOfMany ? mostLinesOfMany : mostLines)
    guard told != lines else { return lines + general(request) }
    return told + ["  … all of it: holdfast request show \(shown(request.id))"] + fieldsWarnedOf(request, besides: told)
      + general(request)
  }

  /// The first lines that fit, each cut if it is long.
  private static func cut(_ lines: [String], toRows most: Int) -> [String] {
    var (left, told) = (most, [String]())
    for line in lines {
      let text = line.count > longestInQuestion ? line.prefix(longestInQuestion) + "…" : line
      left -= 1 + text.count / narrow
      guard left >= 0 else { break }
      told.append(text)
    }
    return told
  }

  /// Whether the signer warns of anything in it.
  package static func warns(_ request: WaitingRequest) -> Bool {
    request.parts.contains { $0.type == .warning || ($0.changes ?? []).contains { $0.warning != nil } }
  }

  /// The sentences that warn of a request as a whole.
  package static func warnings(_ request: WaitingRequest) -> [String] {
    request.parts.filter { $0.type == .warning }.map { foreign($0.text, limit: 400) }
  }

  /// What the signer warns of in a request, for one of many that is not told in full.
  package static func warnedOf(_ request: WaitingRequest) -> [String] {
    request.isHidden ? [] : fieldsWarnedOf(request) + general(request)
  }

  private static func general(_ request: WaitingRequest) -> [String] { warnings(request).map { "  ! " + $0 } }

  /// The values before and after of the fields that the signer warns of.
  /// - Parameter told: lines that stand above already.
  private static func fieldsWarnedOf(_ request: WaitingRequest, besides told: [String] = []) -> [String] {
    let fields = request.parts.flatMap { $0.changes ?? [] }.filter { $0.warning != nil }.map { fieldChange($0).map(unstyled) }
      .filter {
        !$0.allSatisfy(told.contains)
      }
    let rest = fields.count - mostFieldsRepeated
    return fields.prefix(mostFieldsRepeated).flatMap(\.self)
      + (rest > 0 ? ["    and \(rest) more to look at"] : [])
  }

  private static func answers(_ id: String, isHidden: Bool) -> String {
    isHidden
      ? "To deny it unread: holdfast request deny \(id)"
      : "To answer: holdfast request approve \(id), or: holdfast request deny \(id)"
  }

  private static func repeats(_ count: Int64) -> String { count > 0 ? ", \(count + 1) times" : "" }

  private static func part(_ part: RequestPart) -> [String] {
    let label = shown(part.label)
    switch part.type {
    case .text: return appsText(label, part)
    case .peer: return row(label, shown(part.npub) + (part.isSelf == true ? " (yourself)" : named(part.name, part.isNameShared)))
    case .url:
      return row(label, foreign([part.method, part.url].compactMap(\.self).joined(separator: " "), limit: 400))
    case .relay: return row(label, foreign(part.url, limit: 400))
    case .reference: return row(label, shown(part.id))
    case .date: return row(label, date(part.time))
    case .fact: return row(label, foreign(part.value, limit: 400))
    case .warning: return ["  ! " + styled(foreign(part.text, limit: 400), .bad)]
    case .listChange: return listChange(label, part)
    case .fieldChange: return ["  \(styled(label, .bold))"] + (part.changes ?? []).flatMap(fieldChange)
    }
  }

  /// What a person says to be called, after the key.
  private static func named(_ name: String?, _ isShared: Bool?) -> String {
    guard let name else { return "" }
    return " (says to be “\(foreign(name))”\(isShared == true ? ", as somebody else does" : ""))"
  }

  private static func appsText(_ label: String, _ part: RequestPart) -> [String] {
    let text = (part.text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let cut = part.isTruncated == true ? ["    … and more: see the exact request"] : []
    return ["  \(styled(label, .bold))"] + text.map { "    | " + printable(String($0), limit: longestLine).withoutCommands() }
      + cut
  }

  private static func listChange(_ label: String, _ part: RequestPart) -> [String] {
    let (added, removed) = (part.addedCount ?? 0, part.removedCount ?? 0)
    let isKnown = part.hasBaseline == true
    let counts = isKnown ? "\(added) added, \(removed) removed, \(part.kept ?? 0) kept" : "\(added) in all"
    return row(label, counts) + (isKnown ? entries(part.removed, "-", removed) : []) + entries(part.added, "+", added)
  }

  private static func entries(_ list: [ListEntry]?, _ sign: String, _ count: Int64) -> [String] {
    let shownEntries = (list ?? []).map { "    \(sign) " + foreign($0.text) + named($0.name, $0.isNameShared) }
    let rest = count.subtractingReportingOverflow(Int64(shownEntries.count)).partialValue
    return shownEntries + (rest > 0 ? ["    \(sign) … and \(rest) more"] : [])
  }

  /// A field's name is the app's text, too, and is as short as a label. Its values are behind bars.
  private static func fieldChange(_ field: FieldChange) -> [String] {
    let name = "    “\(foreign(field.name, limit: longestFieldName))”"
    let before = field.before.map { ["\(name) was:", "      | " + foreign($0, limit: longestField)] } ?? []
    let after =
      field.after.map { ["\(name) will be:", "      | " + foreign($0, limit: longestField)] } ?? ["\(name) will be removed."]
    let warning = field.warning.map { ["    ! " + styled(foreign($0, limit: 400), .bad)] } ?? []
    return before + after + warning
  }

  private static func row(_ name: String, _ value: String) -> [String] {
    let gap = String(repeating: " ", count: max(20, name.count + 2) - name.count)
    return value.isEmpty ? [] : ["  " + styled(name, .bold) + gap + value]
  }
}
