import Ciphers
import Encodings
import Testing

@testable import AuditLog

@Suite struct TreeTests {
  /// The eight inputs and roots of the Certificate Transparency reference tests for RFC 6962.
  private static let inputs = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
  ]
  private static let roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  @Test("The roots of the Merkle tree match the published ones") func rootsAreThoseOfTheReferenceTests() throws {
    var tree = MerkleTree()
    #expect(tree.root.hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    for (input, root) in zip(Self.inputs, Self.roots) {
      let bytes = try #require(Hex.decode(Array(input.utf8)))
      tree.append(bytes.withUnsafeBytes { MerkleTree.leafHash($0) })
      #expect(tree.root.hex == root)
      #expect(MerkleTree(count: tree.count, peaks: tree.peaks) == tree)
    }
    #expect(MerkleTree(count: 3, peaks: []) == nil)
  }

  /// RFC 6962, section 2.1, word for word.
  private func hash(_ leaves: ArraySlice<Bytes32>) -> Bytes32 {
    guard leaves.count > 1 else { return leaves.first ?? SHA256.digest(of: []) }
    var half = 1
    while half * 2 < leaves.count { half *= 2 }
    let middle = leaves.startIndex + half
    return MerkleTree.node(hash(leaves[..<middle]), hash(leaves[middle...]))
  }

  /// RFC 9162, section 2.1.3.2.
  private func root(_ leaf: Bytes32, _ index: Int, _ size: Int, _ path: [Bytes32]) -> Bytes32? {
    var (fn, sn, found) = (index, size - 1, leaf)
    for other in path {
      guard sn > 0 else { return nil }
      if fn & 1 == 1 || fn == sn {
        found = MerkleTree.node(other, found)
        while fn & 1 == 0, fn > 0 { (fn, sn) = (fn >> 1, sn >> 1) }
      } else {
        found = MerkleTree.node(found, other)
      }
      (fn, sn) = (fn >> 1, sn >> 1)
    }
    return sn == 0 ? found : nil
  }

  /// RFC 9162, section 2.1.4.2.
  private func isConsistent(_ old: Int, _ oldRoot: Bytes32, _ size: Int, _ newRoot: Bytes32, _ path: [Bytes32]) -> Bool {
    guard old < size else { return old == size && path.isEmpty && oldRoot == newRoot }
    var path = path
    if old & (old - 1) == 0 { path.insert(oldRoot, at: 0) }
    guard let first = path.first else { return false }
    var (fn, sn, fr, sr) = (old - 1, size - 1, first, first)
    while fn & 1 == 1 { (fn, sn) = (fn >> 1, sn >> 1) }
    for other in path.dropFirst() {
      guard sn > 0 else { return false }
      if fn & 1 == 1 || fn == sn {
        (fr, sr) = (MerkleTree.node(other, fr), MerkleTree.node(other, sr))
        while fn & 1 == 0, fn > 0 { (fn, sn) = (fn >> 1, sn >> 1) }
      } else {
        sr = MerkleTree.node(sr, other)
      }
      (fn, sn) = (fn >> 1, sn >> 1)
    }
    return sn == 0 && fr == oldRoot && sr == newRoot
  }

  @Test("All proofs in trees of up to 40 leaves are valid") func everyProofOfEveryTreeUpToFortyLeavesHolds() {
    let leaves = (0..<40).map { id($0 + 1) }
    for size in 1...40 {
      let newRoot = hash(leaves[..<size])
      func hashes(_ runs: [Range<UInt64>]) -> [Bytes32] {
        var hasher = RunHasher(runs)
        for leaf in leaves[..<size] { hasher.add(leaf) }
        return hasher.hashes
      }
      for index in 0..<size {
        let path = hashes(ProofPath.inclusion(of: UInt64(index), in: UInt64(size)))
        #expect(root(leaves[index], index, size, path) == newRoot)
        let old = index + 1
        let between = hashes(ProofPath.consistency(from: UInt64(old), to: UInt64(size)))
        #expect(isConsistent(old, hash(leaves[..<old]), size, newRoot, between), "\(old) in \(size)")
      }
    }
  }

  @Test("The proofs of a log lead to its signed head") func proofsOfALogLeadToItsSignedHead() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...21 { try log.appendAndWait(entry(number)) }
    let header = try LogStore(LogFile(folder.log, flags: 0)).header
    for sequence in 1...21 as ClosedRange<UInt64> {
      let (proof, note) = try log.proof(of: sequence)
      let leaf = try #require(proof.leaf)
      #expect(leaf.withUnsafeBytes { MerkleTree.leafHash($0) } == proof.leafHash)
      #expect(root(proof.leafHash, Int(sequence) - 1, 21, proof.path) == proof.root)
      let checkpoint = try #require(Checkpoint(Array(note.utf8), origin: header.origin, signedBy: header.signingKey))
      #expect(checkpoint.size == 21 && checkpoint.root == proof.root && checkpoint.extensions.isEmpty)
    }
    for wrong: UInt64 in [0, 22, .max] { #expect(throws: AuditLogError.noSuchEntry) { try log.proof(of: wrong) } }
    let grown = try log.consistency(from: 8).proof
    #expect(isConsistent(8, grown.oldRoot, 21, grown.root, grown.path))
    #expect(throws: AuditLogError.noSuchEntry) { try log.consistency(from: 22) }
    log.close()
  }

  /// Format stability: other programs check these.
  @Test("A checkpoint keeps its published text") func aKnownCheckpointHasKnownText() throws {
    let checkpoint = Checkpoint(origin: "holdfast.local/log/00", size: 3, root: id(5))
    let note = try #require(checkpoint.signed(by: testKeys.signer))
    #expect(
      note.hasPrefix("holdfast.local/log/00\n3\nAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u{2014} holdfast.local/log/00 "))
    #expect(Checkpoint(Array(note.utf8), origin: checkpoint.origin, signedBy: testKeys.signer.publicKey) == checkpoint)
    #expect(Checkpoint(Array(note.utf8), origin: checkpoint.origin, signedBy: keys(signing: 1).signer.publicKey) == nil)
    #expect(Checkpoint(Array(note.utf8), origin: "other", signedBy: testKeys.signer.publicKey) == nil)
    let key = Checkpoint.verifierKey(checkpoint.origin, testKeys.signer.publicKey)
    #expect(key.split(separator: "+", maxSplits: 2).count == 3 && key.hasPrefix("holdfast.local/log/00+"))
  }
}
