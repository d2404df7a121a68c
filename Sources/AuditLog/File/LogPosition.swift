import Encodings

/// How far a log goes, with all that is needed to go on from there.
struct LogPosition: Equatable, Sendable {
  /// Where the next record begins, in bytes from the start of a log that nothing was taken from (LogLayout).
  var end: UInt64
  /// The tree over all entries.
  var tree = MerkleTree()
  /// Leaf hash of the last entry; zeros when there is none.
  var last = Bytes32()

  var count: UInt64 { tree.count }
  var root: Bytes32 { tree.root }

  // end 8 · last 32 · count 8 · number of peaks 1 · the peaks, 32 each, the largest first
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: end)
    bytes += last.array
    bytes.append(bigEndian: count)
    bytes.append(UInt8(tree.peaks.count))  // at most 64
    return bytes + tree.peaks.flatMap(\.array)
  }

  init(end: UInt64) { self.end = end }

  init?(_ reader: inout ByteReader) {
    guard let end: UInt64 = reader.integer(), let last = reader.bytes32(), let count: UInt64 = reader.integer(),
      let number = reader.byte()
    else { return nil }
    var peaks: [Bytes32] = []
    for _ in 0..<number {
      guard let peak = reader.bytes32() else { return nil }
      peaks.append(peak)
    }
    guard let tree = MerkleTree(count: count, peaks: peaks), Self.isPossible(count, end) else { return nil }
    (self.end, self.tree, self.last) = (end, tree, last)
  }

  /// Whether the file has space for so many entries, and the numbers are plausible.
  private static func isPossible(_ count: UInt64, _ end: UInt64) -> Bool {
    guard end >= LogLayout.firstRecord, end < 1 << 60 else { return false }
    return count <= (end - LogLayout.firstRecord) / UInt64(RecordFormat.minimumLength)
  }
}
