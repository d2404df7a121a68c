import SecretMemory

/// A value at a place of a polynomial, and the shares that it came from.
struct Piece: Sendable {
  /// A member's index, or a group's.
  let place: Int
  let value: SecretBox
  /// Of the shares behind it.
  var positions: Set<Int>
  /// Whether a digest shows that the shares behind it belong together.
  let isProven: Bool

  init(_ place: Int, _ value: SecretBox, _ positions: Set<Int>, isProven: Bool) {
    (self.place, self.value, self.positions, self.isProven) = (place, value, positions, isProven)
  }

  func at(_ place: Int) -> Piece { Piece(place, value, positions, isProven: isProven) }
}

/// Tries sets of pieces, up to a limit: somebody may send invented pieces to keep it busy.
struct ShareSearch {
  var triesLeft: Int
  /// For the error.
  let limit: Int

  /// Every value that so many pieces of different places give together; the same value once, with the positions of all pieces that give it.
  /// - Returns: their `place` means nothing.
  /// - Throws: `.tooManySets`, `.outOfMemory`.
  mutating func pieces(of pieces: [Piece], threshold: Int) throws(ShareError) -> [Piece] {
    let sorted = pieces.sorted { $0.place < $1.place }
    var found: [Piece] = []
    try choose(from: sorted[...], places: Set(sorted.map(\.place)).count, threshold, [], &found)
    return found
  }

  /// - Parameters:
  ///   - rest: pieces that may still be chosen, in order of their places.
  ///   - places: how many different places they have. A set that cannot be completed is not begun, so that all work counts as
  ///     tries.
  private mutating func choose(
    from rest: ArraySlice<Piece>, places: Int, _ missing: Int, _ chosen: [Piece], _ found: inout [Piece]
  ) throws(ShareError) {
    guard missing > 0 else { return try attempt(chosen, &found) }
    guard places >= missing, let place = rest.first?.place else { return }
    let behind = rest.drop { $0.place == place }
    for piece in rest.prefix(while: { $0.place == place }) {
      try choose(from: behind, places: places - 1, missing - 1, chosen + [piece], &found)
    }
    try choose(from: behind, places: places - 1, missing, chosen, &found)
  }

  private mutating func attempt(_ chosen: [Piece], _ found: inout [Piece]) throws(ShareError) {
    guard triesLeft > 0 else { throw .tooManySets(limit: limit) }
    triesLeft -= 1
    let points = chosen.map { SharePoint(x: UInt8(truncatingIfNeeded: $0.place), value: $0.value) }
    guard let first = chosen.first, let value = try Polynomial.secret(through: points, length: first.value.count) else { return }
    let positions = chosen.reduce(into: Set<Int>()) { $0.formUnion($1.positions) }
    // One alone has no digest.
    let isProven = chosen.count > 1 || first.isProven
    if let index = found.firstIndex(where: { $0.isProven == isProven && $0.hasValue(value) }) {
      found[index].positions.formUnion(positions)
    } else {
      found.append(Piece(0, value, positions, isProven: isProven))
    }
  }
}

extension Piece {
  fileprivate func hasValue(_ other: SecretBox) -> Bool {
    value.withBytes { own in other.withBytes { own.count == $0.count && constantTimeEqual(own, $0) } }
  }
}
