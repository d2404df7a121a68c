import Nostr

/// Reads all that a relay stores, page by page. A relay answers a subscription with its newest events only, often 500, so that a flood
/// of new ones would hide older ones.
struct StoredPages {
  /// The most pages after the first.
  static let most = 40
  private static let mark: Character = "+"

  /// Whether a subscription reads a later page.
  static func isLater(_ name: String) -> Bool { name.contains(mark) }

  /// The subscription for the page after this one. Each page has its own, so that nothing that belongs to another page is counted.
  static func name(after name: String) -> String {
    let parts = name.split(separator: mark)
    return "\(parts.first ?? "")\(mark)\((parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + 1)"
  }

  /// What the page asks for.
  private(set) var filter: Filter
  private var left = most
  /// The date of the last event. Relays send the newest first (NIP-01), so it is the oldest. The lowest date would be wrong: anybody
  /// can publish an event with an old date while the page is sent.
  private var oldest: Int64?

  init(_ filter: Filter) { self.filter = filter }

  mutating func arrived(_ event: Event) { oldest = event.createdAt }

  /// Goes on to the page before. It begins in the second in which this one ended, since some of that second's events may be missing.
  /// If this page had that second only, it begins one earlier.
  /// - Returns: false if the relay has no more, or too much.
  mutating func goOn() -> Bool {
    guard let oldest, left > 0 else { return false }
    let until = filter.until.map { min(oldest, $0 - 1) } ?? oldest
    guard until >= filter.since ?? 0 else { return false }
    left -= 1
    (filter.until, self.oldest) = (until, nil)
    return true
  }
}
