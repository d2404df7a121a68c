public import Encodings

/// A proof that an entry is in the log. To check it, a signed head is enough.
public struct AuditProof: Sendable, Equatable {
  /// 1 for the first entry; the index of RFC 6962 is one less.
  public let sequence: UInt64
  /// What was hashed as the leaf: the entry as it stands sealed in the file. Nil when the content was dropped.
  public let leaf: [UInt8]?
  /// SHA-256(0x00 ‖ leaf).
  public let leafHash: Bytes32
  /// Number of entries in the tree.
  public let size: UInt64
  /// The neighbours' hashes from the leaf up to the root (RFC 6962, section 2.1.1).
  public let path: [Bytes32]
  /// Root of the tree.
  public let root: Bytes32
}

/// That a tree begins with an earlier one.
public struct AuditConsistency: Sendable, Equatable {
  /// Number of entries and root of the earlier tree.
  public let oldSize: UInt64, oldRoot: Bytes32
  /// Number of entries and root of the tree.
  public let size: UInt64, root: Bytes32
  /// As RFC 6962, section 2.1.2, lists them.
  public let path: [Bytes32]
}

extension LogStore {
  /// - Throws: `.noSuchEntry`, or `.fault` where the file is not right.
  func proof(of sequence: UInt64, upTo position: LogPosition) throws(AuditLogError) -> AuditProof {
    guard sequence >= 1, sequence <= position.count else { throw .noSuchEntry }
    var hasher = RunHasher(ProofPath.inclusion(of: sequence - 1, in: position.count))
    var (leaf, leafHash, next) = ([UInt8]?.none, Bytes32(), UInt64(1))
    try eachLeaf(upTo: position) { hash, record in
      if next == sequence { (leafHash, leaf) = (hash, record.map { Array($0.leaf) }) }
      hasher.add(hash)
      next += 1
    }
    guard next == position.count + 1 else { throw .fault(.rolledBack(recorded: position.count, found: next - 1)) }
    return AuditProof(
      sequence: sequence, leaf: leaf, leafHash: leafHash, size: position.count, path: hasher.hashes, root: position.root)
  }

  /// - Throws: `.noSuchEntry` when there were never so many entries, or none.
  func consistency(from old: UInt64, upTo position: LogPosition) throws(AuditLogError) -> AuditConsistency {
    guard old >= 1, old <= position.count else { throw .noSuchEntry }
    var hasher = RunHasher(ProofPath.consistency(from: old, to: position.count))
    var (tree, oldRoot) = (MerkleTree(), Bytes32())
    try eachLeaf(upTo: position) { hash, _ in
      hasher.add(hash)
      tree.append(hash)
      if tree.count == old { oldRoot = tree.root }
    }
    return AuditConsistency(
      oldSize: old, oldRoot: oldRoot, size: position.count, root: position.root, path: hasher.hashes)
  }

  private func eachLeaf(
    upTo position: LogPosition, _ body: (Bytes32, StoredRecord?) -> Void
  ) throws(AuditLogError) {
    try eachStub { (hash) throws(AuditLogError) in body(hash, nil) }
    var scanner = ForwardScanner(self, after: layout.redacted, at: layout.start, to: position.end, checksHashes: false)
    while case .record(let record) = try scanner.next() { body(record.leafHash, record) }
  }
}
