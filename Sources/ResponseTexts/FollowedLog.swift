package import OwnerAPI
import TerminalUI

/// The log as it grows, for a terminal: a heading for each day, and a line for each entry, in columns.
package struct FollowedLog {
  /// The longest result of an entry without its reason, in characters: `you approved`.
  private static let widestResult = 12
  /// The width of the column with the entries' numbers, in characters.
  private static let widestNumber = 6
  /// The least width of the text of an entry, in characters.
  private static let narrowest = 20
  /// How many requests are remembered whose end was not read yet.
  private static let mostOpen = 1000

  private var day: Substring?
  /// Requests that were allowed, and whose end was not read yet: the end of one that went well is no news.
  private var allowed: Set<String> = []

  package init() {}

  /// The lines of further entries.
  package mutating func lines(_ entries: [LogEntry], within columns: Int) -> [String] {
    LogText.withNews(entries).flatMap { entry in
      isUsualEnd(entry) ? [] : heading(entry) + [Self.line(entry, columns)] + Self.change(entry, columns)
    }
  }

  private mutating func isUsualEnd(_ entry: LogEntry) -> Bool {
    guard let request = entry.request else { return false }
    if entry.entry == .requestDecided, entry.decision == .allow, allowed.count < Self.mostOpen { allowed.insert(request) }
    return entry.entry == .requestDone && allowed.remove(request) != nil && entry.error == nil
  }

  private mutating func heading(_ entry: LogEntry) -> [String] {
    let day = exactMoment(entry.time).prefix { $0 != " " }
    defer { self.day = day }
    return day == self.day ? [] : [String(day)]
  }

  /// What was changed of an app's rules, below its line.
  private static func change(_ entry: LogEntry, _ columns: Int) -> [String] {
    guard let change = LogText.change(entry) else { return [] }
    return wrapped(foreign(change), width: max(narrowest, columns - 4), cutsWords: true).map { "    " + $0 }
  }

  private static func line(_ entry: LogEntry, _ columns: Int) -> String {
    let cells = LogText.inShort(entry).map { foreign($0) }
    let clock = exactMoment(entry.time).drop { $0 != " " }.dropFirst()
    let start = "\(clock)  \(padded("\(entry.sequence)", widestNumber))  \(padded(cells[0], LogText.longestName))  "
    let room = max(narrowest, columns - columnWidth(of: start) - 2 - widestResult)
    guard !cells[2].isEmpty else { return start + fitted(cells[1], width: room + 2 + widestResult) }
    return start + padded(fitted(cells[1], width: room), room) + "  " + cells[2]
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columnWidth(of: text)))
  }
}
