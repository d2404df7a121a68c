import Encodings

/// Which runs of leaves a proof names by their hash, in the order in which RFC 6962 lists them.
enum ProofPath {
  /// PATH(index, D[size]) of section 2.1.1: from the leaf's neighbour up to the root. `index` counts from 0 and is below `size`.
  static func inclusion(of index: UInt64, in size: UInt64) -> [Range<UInt64>] {
    var (low, high) = (UInt64(0), size)
    var path: [Range<UInt64>] = []
    while high - low > 1 {
      let middle = low + split(high - low)
      if index < middle {
        path.append(middle..<high)
        high = middle
      } else {
        path.append(low..<middle)
        low = middle
      }
    }
    return path.reversed()
  }

  /// PROOF(old, D[size]) of section 2.1.2, for 0 < `old` ≤ `size`.
  static func consistency(from old: UInt64, to size: UInt64) -> [Range<UInt64>] {
    var (low, high) = (UInt64(0), size)
    var path: [Range<UInt64>] = []
    while high > old {
      let middle = low + split(high - low)
      if old <= middle {
        path.append(middle..<high)
        high = middle
      } else {
        path.append(low..<middle)
        low = middle
      }
    }
    if low > 0 { path.append(low..<high) }
    return path.reversed()
  }

  /// The largest power of two below `count`, which is 2 or more.
  private static func split(_ count: UInt64) -> UInt64 { 1 << UInt64(63 - (count - 1).leadingZeroBitCount) }
}

/// Takes all leaf hashes in order and keeps the hashes of some runs of them.
struct RunHasher {
  private let runs: [Range<UInt64>]
  private let order: [Int]
  private var trees: [MerkleTree]
  private var current = 0
  private var next: UInt64 = 0

  /// - Parameter runs: not overlapping.
  init(_ runs: [Range<UInt64>]) {
    self.runs = runs
    order = runs.indices.sorted { runs[$0].lowerBound < runs[$1].lowerBound }
    trees = runs.map { _ in MerkleTree() }
  }

  mutating func add(_ leafHash: Bytes32) {
    while current < order.count, runs[order[current]].upperBound <= next { current += 1 }
    if current < order.count, runs[order[current]].contains(next) { trees[order[current]].append(leafHash) }
    next += 1
  }

  /// The hash of each run, in the order in which they were given.
  var hashes: [Bytes32] { trees.map(\.root) }
}
