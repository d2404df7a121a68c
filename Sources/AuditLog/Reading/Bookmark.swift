/// Where an epoch begins, so that who reads a log in parts does not pass over all of it for each.
struct Bookmark: Sendable, Equatable {
  /// Number of the epoch's first entry.
  let sequence: UInt64
  let position: UInt64
}

/// The places at which the last parts that were read ended.
struct Bookmarks: Sendable {
  /// More than read at once.
  static let mostKept = 8
  private var all: [Bookmark] = []

  /// The last one that is not behind an entry; nil for none. Those whose content was dropped are forgotten.
  /// - Parameter redacted: the number of entries that gave up their content.
  mutating func best(for sequence: UInt64, redacted: UInt64) -> Bookmark? {
    all.removeAll { $0.sequence <= redacted }
    return all.filter { $0.sequence <= sequence }.max { $0.sequence < $1.sequence }
  }

  mutating func keep(_ bookmark: Bookmark) {
    guard all.last != bookmark else { return }
    all = all.filter { $0 != bookmark }.suffix(Self.mostKept - 1) + [bookmark]
  }
}
