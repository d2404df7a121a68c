/// A set of 64-bit marks in one piece of memory: 11 to 22 bytes for each.
///
/// A table with open places, because a `Set` takes 24 to 48 bytes for the same. Marks come from a keyed hash: nobody can choose them so
/// that they crowd together.
struct MarkTable: Sendable {
  /// A free place.
  private static let free: UInt64 = 0

  private var slots: [UInt64] = []
  /// How many marks it has.
  private(set) var count = 0
  /// How many places there are, free ones included.
  var capacity: Int { slots.count }

  /// - Returns: false when the mark is there already.
  mutating func insert(_ mark: UInt64) -> Bool {
    if count * 4 >= slots.count * 3 { grow() }
    return place(Self.stored(mark))
  }

  /// Whether the mark is there.
  func contains(_ mark: UInt64) -> Bool {
    guard !slots.isEmpty else { return false }
    let mark = Self.stored(mark)
    var index = Int(truncatingIfNeeded: mark) & (slots.count - 1)
    while slots[index] != Self.free {
      if slots[index] == mark { return true }
      index = (index + 1) & (slots.count - 1)
    }
    return false
  }

  // One mark of all takes the place of the one that means a free slot.
  private static func stored(_ mark: UInt64) -> UInt64 { mark == free ? 1 : mark }

  private mutating func place(_ mark: UInt64) -> Bool {
    var index = Int(truncatingIfNeeded: mark) & (slots.count - 1)
    while slots[index] != Self.free {
      if slots[index] == mark { return false }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = mark
    count += 1
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: Self.free, count: max(16, old.count * 2))
    count = 0
    for mark in old where mark != Self.free { _ = place(mark) }
  }
}
