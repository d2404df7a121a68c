import AuditLog
import Curve
import Nostr
package import OwnerAPI
import TerminalUI

/// Entries of the log, for people.
package enum LogText {
  /// The entries for a file or another program: each with its whole time.
  package static func table(_ entries: [LogEntry]) -> String {
    var table = TextTable(["N", "TIME", "APP", "WHAT", "RESULT"], whole: [3, 4])
    let shown = withNews(entries)
    for entry in shown { table.add(["\(entry.sequence)", date(entry.time)] + facts(entry)) }
    return table.text(within: nil) + mark(shown) + leftOut(entries, shown)
  }

  /// The entries for a terminal: one line for each, under a heading for its day.
  /// - Parameter isOfOne: whether they are about one request, of which each step is shown.
  package static func days(_ entries: [LogEntry], _ reader: Reader, isOfOne: Bool = false) -> String {
    var table = TextTable(["N", "TIME", "APP", "WHAT", "RESULT"], wide: [3])
    var day: Substring?
    let shown = isOfOne ? withNews(entries) : withoutUsualEnds(withNews(entries))
    let hasRoom = reader.columns.map { $0 >= fewestColumnsForReasons } ?? true
    for entry in shown {
      let time = date(entry.time)
      if time.prefix(dayLength) != day { table.addHeading(String(time.prefix(dayLength))) }
      day = time.prefix(dayLength)
      let isWhole = hasRoom || isOfOne
      let about = isWhole ? facts(entry, isShort: true) : inShort(entry)
      table.add(["\(entry.sequence)", String(time.dropFirst(dayLength + 1))] + about)
      if !isWhole, let change = change(entry) { table.addNote(change) }
    }
    return table.text(for: reader) + mark(shown)
  }

  /// The narrowest terminal on which each line says why, in columns.
  private static let fewestColumnsForReasons = 110

  /// App, what and result, where there is no room for why: that stands in `log show N`.
  static func inShort(_ entry: LogEntry) -> [String] {
    let all = facts(entry, isShort: true)
    let verdict = isOwners(entry) ? "you approved" : verdict(entry)
    guard verdict.isEmpty || entry.failure != nil else { return [all[0], all[1], verdict] }
    let why = verdict.isEmpty ? all[2] : entry.failure ?? ""
    if change(entry) != nil { return [all[0], all[1], verdict] }
    return [all[0], why.isEmpty ? all[1] : "\(all[1]): \(why)", verdict]
  }

  /// What was changed of an app's rules. It is the news of its entry, and stands below the line, where there is room for it.
  static func change(_ entry: LogEntry) -> String? {
    guard entry.entry == .grantChanged, let rule = entry.rule, rule != "renamed" else { return nil }
    return ruleInWords(rule)
  }

  /// Whether the owner approved this request. A rule that the owner made does not count.
  private static func isOwners(_ entry: LogEntry) -> Bool {
    entry.decision == .allow && entry.rule?.hasPrefix("you approved") == true
  }

  /// Entries one a line, as they come, for a file or another program: `2026-12-01 14:30:05  57  Amethyst  Publish a note  allowed: medium trust`.
  package static func lines(_ entries: [LogEntry]) -> [String] {
    withNews(entries).map { entry in
      let cells = [exactMoment(entry.time), "\(entry.sequence)"] + facts(entry, isShort: true).map { foreign($0) }
      return cells.filter { !$0.isEmpty }.joined(separator: "  ")
    }
  }

  /// The entries without the ends of requests that were allowed and then carried out: the line above says so.
  private static func withoutUsualEnds(_ entries: [LogEntry]) -> [LogEntry] {
    let allowed = Set(entries.filter { $0.entry == .requestDecided && $0.decision == .allow }.compactMap(\.request))
    return entries.filter { entry in
      !(entry.entry == .requestDone && entry.error == nil && entry.request.map(allowed.contains) ?? false)
    }
  }

  /// What the mark means, where one is shown; empty where none is.
  private static func mark(_ entries: [LogEntry]) -> String {
    guard let first = entries.first(where: { $0.risk == .grave }) else { return "" }
    return "\n\n! is serious. To see all about one: holdfast log show \(first.sequence)"
  }

  /// Says which numbers the table skips, and how each is seen; empty for none.
  private static func leftOut(_ entries: [LogEntry], _ shown: [LogEntry]) -> String {
    let missing = Set(entries.map(\.sequence)).subtracting(shown.map(\.sequence)).sorted()
    guard let first = missing.first else { return "" }
    let more = missing.count > mostNamed ? " and \(missing.count - mostNamed) more" : ""
    let numbers = missing.prefix(mostNamed).map { "\($0)" }.joined(separator: ", ") + more
    return missing.count == 1
      ? "\n\nNot shown: entry \(numbers), which only says that a denied request failed. To see it: holdfast log show \(first)"
      : "\n\nNot shown: entries \(numbers), which only say that a denied request failed. To see one: holdfast log show \(first)"
  }

  /// How many numbers are named that the table skips.
  private static let mostNamed = 8

  /// The entries without those that only repeat one above: after a request was denied, the log also records that it failed because of that.
  static func withNews(_ entries: [LogEntry]) -> [LogEntry] {
    let denied = Set(entries.filter { $0.entry == .requestDecided && $0.decision == .deny }.compactMap(\.request))
    return entries.filter { entry in
      guard entry.entry == .requestDone, let error = entry.error, deniedErrors.contains(error) else { return true }
      return !(entry.request.map(denied.contains) ?? false)
    }
  }

  /// The numbers of the errors “a rule denied it” and “you denied it”.
  private static let deniedErrors: Set<Int64> = [
    Int64(AuditErrorCode.deniedByPolicy.rawValue), Int64(AuditErrorCode.deniedByOwner.rawValue),
  ]

  /// All that the log holds about one entry.
  package static func entry(_ entry: LogEntry) -> String {
    pairs([
      ("Entry", "\(entry.sequence)"), ("Time", exactMoment(entry.time)), ("What", marked(foreign(entry.text), entry)),
      ("Serious", entry.risk == .grave ? shown(entry.riskReason) : ""),
      ("App", foreign(appName(entry))),
      ("App's key", shown(entry.client)), ("Identity", entry.identity.map { shown(identity($0)) } ?? ""),
      ("Method", shown(entry.method)), ("Kind", shown(entry.kind)), ("Result", result(entry)),
      ("Request", shown(entry.requestName)), ("Request's event", shown(entry.request)),
      ("Signed event", shown(entry.signed)), ("Type", shown(entry.entry)),
    ])
  }

  /// The length of `2026-12-01`.
  private static let dayLength = 10
  /// The length of `Unnamed app · 0397e7e8`.
  static let longestName = 22

  /// Nil for an entry about no app, and for one that is gone.
  private static func appName(_ entry: LogEntry) -> String? { entry.clientName.map { AppName.shown($0, entry.client ?? "") } }

  private static func facts(_ entry: LogEntry, isShort: Bool = false) -> [String] {
    [
      String((appName(entry) ?? entry.client ?? "").prefix(longestName)), marked(what(entry), entry),
      result(entry, isShort: isShort),
    ]
  }

  /// With the mark of `request list` for what is serious.
  private static func marked(_ what: String, _ entry: LogEntry) -> String { entry.risk == .grave ? "! " + what : what }

  /// What happened and, if no app did it, to which identity: `An identity was deleted (npub1adat9j2…qyf0a3q)`.
  private static func what(_ entry: LogEntry) -> String {
    guard entry.client == nil, let named = entry.identity else { return entry.text }
    return "\(entry.text) (\(PublicKey(hex: named).map { shortenedKey($0.npub) } ?? named))"
  }

  /// An identity's name. Of one that is gone, the log keeps only its key.
  private static func identity(_ nameOrKey: String) -> String { PublicKey(hex: nameOrKey)?.npub ?? nameOrKey }

  /// What was decided and why: `asked you: medium trust asks before this`.
  /// - Parameter isShort: whether what a rule means is left out: `low trust` of `low trust: you are asked about everything`.
  private static func result(_ entry: LogEntry, isShort: Bool = false) -> String {
    var rule = entry.rule.map { IdentityOrigin(rawValue: $0)?.words ?? $0 }
    if entry.entry == .grantChanged { rule = rule.map(ruleInWords) }
    if isShort, entry.decision != nil { rule = rule?.split(separator: ": ").first.map(String.init) ?? rule }
    let why = [rule, entry.failure].compactMap { $0 }.joined(separator: "; ")
    return [verdict(entry), why].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private static func verdict(_ entry: LogEntry) -> String {
    if entry.entry == .requestDone { return entry.error == nil ? "done" : "failed" }
    return switch entry.decision {
    case .allow: "allowed"
    case .ask: "asked you"
    case .deny: "denied"
    case nil: ""
    }
  }
}
