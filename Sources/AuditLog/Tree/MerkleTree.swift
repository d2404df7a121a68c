import Ciphers
import Encodings

/// The tree of RFC 6962 over leaf hashes, as it grows: only the roots of its complete subtrees are kept, one for each 1 in the
/// binary form of `count`.
struct MerkleTree: Equatable, Sendable {
  /// Number of leaves.
  private(set) var count: UInt64 = 0
  /// Roots of the complete subtrees, the largest first.
  private(set) var peaks: [Bytes32] = []

  init() {}

  /// - Returns: nil unless there is one peak for each 1 in `count`.
  init?(count: UInt64, peaks: [Bytes32]) {
    guard peaks.count == count.nonzeroBitCount else { return nil }
    (self.count, self.peaks) = (count, peaks)
  }

  mutating func append(_ leafHash: Bytes32) {
    var node = leafHash
    var bits = count
    while bits & 1 == 1, let left = peaks.popLast() {
      node = Self.node(left, node)
      bits >>= 1
    }
    peaks.append(node)
    count += 1
  }

  /// MTH of RFC 6962, section 2.1.
  var root: Bytes32 {
    guard let last = peaks.last else { return SHA256.digest(of: []) }
    return peaks.dropLast().reversed().reduce(last) { Self.node($1, $0) }
  }

  /// SHA-256(0x00 ‖ leaf).
  static func leafHash(_ leaf: UnsafeRawBufferPointer) -> Bytes32 { hash(0, leaf) }

  /// SHA-256(0x01 ‖ left ‖ right).
  static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
    withUnsafeTemporaryAllocation(byteCount: 65, alignment: 8) { bytes in
      bytes[0] = 1
      left.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[1..<33]).copyMemory(from: $0) }
      right.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[33..<65]).copyMemory(from: $0) }
      return SHA256.digest(of: UnsafeRawBufferPointer(bytes))
    }
  }

  private static func hash(_ prefix: UInt8, _ bytes: UnsafeRawBufferPointer) -> Bytes32 {
    var hash = SHA256()
    withUnsafeBytes(of: prefix) { hash.update($0) }
    hash.update(bytes)
    return hash.finish()
  }
}
