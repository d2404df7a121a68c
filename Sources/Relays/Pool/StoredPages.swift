import Nostr

/// Reads all that a relay stores, page by page. A relay answers a subscription with its newest events only, often 500, so that a flood
/// of new ones would hide older ones.
struct StoredPages {
  /// The most pages after the first.
  static let most = 40
  private static let mark: Character = "+"

  /// Whether a subscription reads a later page.
  static func isLater(_ name: String) -> Bool { name.last == mark }

  /// The subscription for the page after this one. It is another one than the first, which goes on for new events.
  static func name(after name: String) -> String { isLater(name) ? name : "\(name)\(mark)" }

  /// What the page asks for.
  private(set) var filter: Filter
  private var left = most
  private var oldest: Int64?

  init(_ filter: Filter) { self.filter = filter }

  mutating func arrived(_ event: Event) { oldest = min(event.createdAt, oldest ?? event.createdAt) }

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
