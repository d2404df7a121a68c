import Ciphers
public import Encodings

/// Checks a proof from a log that need not be here: what `AuditLog.proof` gave, with nothing but the key that signs its heads.
///
/// Everything may come from a stranger. The proof says that the sealed entry is in the log, and not what the entry means.
public struct ProofCheck: Sendable {
  /// Why a proof does not hold.
  public enum Fault: Error, Equatable, Sendable {
    /// Not `name+8 hex digits+base64`, or the digits do not belong to the key.
    case keyMalformed
    /// The entry is not the one whose hash the proof is about.
    case otherEntry
    /// The hashes do not lead to the root.
    case otherRoot
    /// The head was not signed by the key, or is about another root or size.
    case headNotSigned
  }

  /// The name of the log.
  public let origin: String
  private let signingKey: Bytes32

  /// - Parameter verifierKey: what `holdfast log key` prints.
  /// - Throws: `.keyMalformed`.
  public init(verifierKey: String) throws(Fault) {
    let parts = verifierKey.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let key = Base64.decode(parts[2]).flatMap({ Bytes32(Array($0.dropFirst())) }),
      Checkpoint.verifierKey(parts[0], key) == verifierKey
    else { throw .keyMalformed }
    (origin, signingKey) = (parts[0], key)
  }

  /// Checks that an entry is in the log (RFC 6962, section 2.1.1).
  /// - Parameters:
  ///   - index: counted from 0.
  ///   - size: the number of entries in the log.
  ///   - leaf: the sealed entry. Nil when its content was dropped; then only its hash is checked.
  ///   - path: the hashes from the leaf's neighbour to the root.
  ///   - head: the signed head.
  /// - Throws: `.otherEntry`, `.otherRoot`, `.headNotSigned`.
  public func entry(
    _ index: UInt64, of size: UInt64, leaf: [UInt8]?, leafHash: Bytes32, path: [Bytes32], head: String
  ) throws(Fault) {
    if let leaf, leaf.withUnsafeBytes({ MerkleTree.leafHash($0) }) != leafHash { throw .otherEntry }
    guard index < size else { throw .otherRoot }
    let runs = ProofPath.inclusion(of: index, in: size)
    guard runs.count == path.count else { throw .otherRoot }
    var node = leafHash
    for (run, other) in zip(runs, path) {
      node = run.lowerBound > index ? MerkleTree.node(node, other) : MerkleTree.node(other, node)
    }
    try check(head, size, node)
  }

  /// Checks that a log begins with its earlier entries (RFC 6962, section 2.1.2).
  /// - Parameters:
  ///   - old: the earlier number of entries, and their root.
  ///   - size: the present number of entries.
  ///   - path: the hashes that lead from one root to the other.
  ///   - head: the signed present head.
  /// - Throws: `.otherRoot`, `.headNotSigned`.
  public func growth(from old: (size: UInt64, root: Bytes32), to size: UInt64, path: [Bytes32], head: String) throws(Fault) {
    guard old.size > 0, old.size <= size else { throw .otherRoot }
    let runs = ProofPath.consistency(from: old.size, to: size)
    guard runs.count == path.count else { throw .otherRoot }
    // Where the earlier tree is one subtree of the present one, its root is known and not listed.
    let isWhole = runs.first?.upperBound != old.size
    guard var earlier = isWhole ? old.root : path.first else { throw .otherRoot }
    var now = earlier
    for (run, other) in zip(runs, path).dropFirst(isWhole ? 0 : 1) {
      if run.lowerBound >= old.size {
        now = MerkleTree.node(now, other)
      } else {
        (now, earlier) = (MerkleTree.node(other, now), MerkleTree.node(other, earlier))
      }
    }
    guard earlier == old.root else { throw .otherRoot }
    try check(head, size, now)
  }

  private func check(_ head: String, _ size: UInt64, _ root: Bytes32) throws(Fault) {
    guard let signed = Checkpoint(Array(head.utf8), origin: origin, signedBy: signingKey) else { throw .headNotSigned }
    guard signed.size == size, signed.root == root else { throw .otherRoot }
  }
}
