import Encodings
import Testing

@testable import AuditLog

/// A proof is checked with the log's key alone.
@Suite struct ProofCheckTests {
  private func withLog(_ entries: Int, _ body: (AuditLog, ProofCheck) throws -> Void) throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    defer { log.close() }
    for number in 1...entries { try log.appendAndWait(entry(number)) }
    try body(log, try ProofCheck(verifierKey: log.verifierKey))
  }

  private func check(_ proof: AuditProof, _ head: String, _ check: ProofCheck) throws(ProofCheck.Fault) {
    try check.entry(
      proof.sequence - 1, of: proof.size, leaf: proof.leaf, leafHash: proof.leafHash, path: proof.path, head: head)
  }

  @Test("Each proof of a log holds, also without the entry's content") func everyProofHolds() throws {
    try withLog(21) { log, check in
      for sequence in 1...21 as ClosedRange<UInt64> {
        let (proof, head) = try log.proof(of: sequence)
        try self.check(proof, head, check)
        try check.entry(sequence - 1, of: 21, leaf: nil, leafHash: proof.leafHash, path: proof.path, head: head)
        let (grown, now) = try log.consistency(from: sequence)
        try check.growth(from: (grown.oldSize, grown.oldRoot), to: grown.size, path: grown.path, head: now)
      }
    }
  }

  @Test("A proof with another entry, place, path, size or head does not hold") func everyChangeIsFound() throws {
    try withLog(21) { log, check in
      let (proof, head) = try log.proof(of: 7)
      let (other, _) = try log.proof(of: 8)
      func fault(
        _ index: UInt64 = 6, _ size: UInt64 = 21, _ leaf: [UInt8]? = nil, _ path: [Bytes32]? = nil, _ head: String? = nil
      )
        -> ProofCheck.Fault?
      {
        do {
          try check.entry(
            index, of: size, leaf: leaf ?? proof.leaf, leafHash: proof.leafHash, path: path ?? proof.path, head: head ?? String())
          return nil
        } catch { return error }
      }
      #expect(fault(6, 21, nil, nil, head) == nil)
      #expect(fault(6, 21, other.leaf, nil, head) == .otherEntry)
      for index: UInt64 in [5, 7, 20, 21, .max] { #expect(fault(index, 21, nil, nil, head) == .otherRoot) }
      for size: UInt64 in [0, 7, 20, 22, .max] { #expect(fault(6, size, nil, nil, head) == .otherRoot) }
      for path in [[], proof.path.dropLast(), proof.path + [proof.root], proof.path.reversed(), other.path] {
        #expect(fault(6, 21, nil, Array(path), head) == .otherRoot)
      }
      for head in ["", "x", head.replacingOccurrence(of: "\n21\n", with: "\n22\n"), head + "\n", String(head.dropLast(3))] {
        #expect(fault(6, 21, nil, nil, head) == .headNotSigned)
      }
      try log.appendAndWait(entry(22))
      #expect(fault(6, 21, nil, nil, try log.proof(of: 1).checkpoint) == .otherRoot, "a later head")
    }
  }

  @Test("A log that was shortened or written anew is not one that only grew") func growthIsChecked() throws {
    try withLog(21) { log, check in
      let (grown, head) = try log.consistency(from: 13)
      func fault(_ old: UInt64, _ root: Bytes32, _ size: UInt64, _ path: [Bytes32]) -> ProofCheck.Fault? {
        do {
          try check.growth(from: (old, root), to: size, path: path, head: head)
          return nil
        } catch { return error }
      }
      #expect(fault(13, grown.oldRoot, 21, grown.path) == nil)
      #expect(fault(13, grown.root, 21, grown.path) == .otherRoot)
      for old: UInt64 in [0, 12, 14, 16, 21, 22, .max] { #expect(fault(old, grown.oldRoot, 21, grown.path) == .otherRoot) }
      #expect(fault(21, grown.root, 21, []) == nil && fault(21, grown.oldRoot, 21, []) == .otherRoot)
      #expect(fault(13, grown.oldRoot, 21, grown.path.dropLast()) == .otherRoot)
    }
  }

  @Test("Another log's key does not check a proof, and what is no key is refused") func keysAreChecked() throws {
    try withLog(3) { log, _ in
      let (proof, head) = try log.proof(of: 2)
      let name = try #require(log.verifierKey.split(separator: "+").first)
      let other = try ProofCheck(verifierKey: Checkpoint.verifierKey(String(name), id(9)))
      #expect(throws: ProofCheck.Fault.headNotSigned) { try self.check(proof, head, other) }
      for key in ["", "+", "a+b", "a+00000000+AQ==", String(log.verifierKey.dropLast()), "x" + log.verifierKey] {
        #expect(throws: ProofCheck.Fault.keyMalformed) { try ProofCheck(verifierKey: key) }
      }
    }
  }
}

extension String {
  fileprivate func replacingOccurrence(of text: String, with other: String) -> String {
    split(separator: text, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: other)
  }
}
