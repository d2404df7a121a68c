/// Where an epoch begins. A log that is read in parts is read on from there, not from its first entry.
struct Bookmark: Sendable, Equatable {
  /// Number of the epoch's first entry.
  let sequence: UInt64
  let position: UInt64
}

/// The epochs in which the last parts that were read ended.
struct Bookmarks: Sendable {
  /// More than the readers there are at one time.
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
