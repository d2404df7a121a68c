import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Threshold

@Suite("New shares of the same key") struct ResharingTests {
  private static let message = [UInt8](repeating: 9, count: 32)

  /// The group after some of its members dealt anew.
  private func reshared(_ group: Group, by dealers: [UInt32], _ threshold: Int, of members: Int) throws -> Group {
    let plan = try Resharing(from: try group.signers(dealers), threshold: threshold, members: members)
    let dealings = try dealers.map { try plan.deal(group.dealing.shares[Int($0)]) }
    let commitments = dealings.map(\.commitment)
    let shares = try (0..<UInt32(members)).map { identifier in
      try plan.share(of: identifier, from: dealings.map { $0.shares[Int(identifier)] }, commitments: commitments)
    }
    return Group(group.key, shares: shares, commitment: try plan.commitment(from: commitments))
  }

  private func signs(_ group: Group, _ identifiers: [UInt32]) throws -> Bool {
    let round = try group.round(identifiers, Self.message)
    return Schnorr.isValid(
      try round.session.finish(round.partials, nonces: round.nonces), of: Bytes32(Self.message)!, by: group.key.publicKey)
  }

  @Test(
    "Every choice of new members signs for the same key",
    arguments: [((2, 3), (2, 3)), ((2, 3), (3, 5)), ((3, 5), (2, 2)), ((2, 2), (1, 1)), ((1, 1), (2, 3))])
  func everyChoice(before: (Int, Int), after: (Int, Int)) throws {
    let group = try Group(threshold: before.0, members: before.1)
    for dealers in choices(before.0, of: before.1) {
      let new = try reshared(group, by: dealers.reversed(), after.0, of: after.1)
      #expect(new.dealing.commitment.publicKey == group.dealing.commitment.publicKey)
      #expect(new.dealing.commitment.threshold == after.0 && new.dealing.shares.count == after.1)
      for identifiers in choices(after.0, of: after.1) { #expect(try signs(new, identifiers), "\(dealers) \(identifiers)") }
    }
  }

  @Test("More members than the threshold may deal, and shares can be dealt anew again and again") func manyTimes() throws {
    var group = try Group(threshold: 2, members: 3)
    for _ in 0..<5 { group = try reshared(group, by: [0, 1, 2], 2, of: 3) }
    #expect(try signs(group, [0, 2]))
  }

  @Test("Shares from before and new ones do not sign together, but enough from before still sign") func old() throws {
    let group = try Group(threshold: 2, members: 3)
    let new = try reshared(group, by: [0, 2], 2, of: 3)
    let mixed = Group(
      group.key, shares: [group.dealing.shares[0], new.dealing.shares[1], new.dealing.shares[2]],
      commitment: new.dealing.commitment)
    #expect(error { _ = try mixed.signers([0, 1]) } == .keyMaterialInconsistent)
    #expect(try signs(mixed, [1, 2]))
    #expect(try signs(group, [0, 1]), "the documentation says so: they count until they are deleted")
  }

  @Test("A dealer that deals something else than its share is named") func wrongCommitments() throws {
    let group = try Group(threshold: 2, members: 3)
    let plan = try Resharing(from: try group.signers([0, 2]), threshold: 2, members: 3)
    let (first, second) = (try plan.deal(group.dealing.shares[0]), try plan.deal(group.dealing.shares[2]))
    let honest = [first.commitment, second.commitment]
    let other = try TrustedDealer.split(try KeyPair.random().secretKey(), threshold: 2, members: 3)
    let lower = try Resharing(from: plan.dealers, threshold: 1, members: 3).deal(group.dealing.shares[2])
    let higher = try Resharing(from: plan.dealers, threshold: 3, members: 3).deal(group.dealing.shares[2])
    for wrong in [other.commitment, lower.commitment, higher.commitment, first.commitment] {
      #expect(!plan.isCommitment(wrong, ofDealerAt: 1))
      #expect(
        error { _ = try plan.commitment(from: [first.commitment, wrong]) } == .wrongContribution(.dealing, place: 1))
    }
    #expect(!plan.isCommitment(first.commitment, ofDealerAt: 2) && !plan.isCommitment(first.commitment, ofDealerAt: -1))
    #expect(error { _ = try plan.commitment(from: [first.commitment]) } == .unequalCounts)
    #expect(error { _ = try plan.share(of: 3, from: [], commitments: honest) } == .identifierMissing)
    #expect(error { _ = try plan.share(of: 1, from: [first.shares[1]], commitments: honest) } == .unequalCounts)
    for wrong in [second.shares[0], other.shares[1], first.shares[1]] {
      #expect(
        error { _ = try plan.share(of: 1, from: [first.shares[1], wrong], commitments: honest) }
          == .wrongContribution(.dealing, place: 1))
    }
  }

  @Test("Only a dealer deals, and only its own share") func strangers() throws {
    let group = try Group(threshold: 2, members: 3)
    let plan = try Resharing(from: try group.signers([0, 2]), threshold: 2, members: 3)
    #expect(error { _ = try plan.deal(group.dealing.shares[1]) } == .identifierMissing)
    let strange = try Group(threshold: 2, members: 3).dealing.shares[0]
    #expect(error { _ = try plan.deal(strange) } == .publicShareMissing)
    for (threshold, members) in [(0, 3), (4, 3), (2, 256), (-1, 3)] {
      #expect(error { _ = try Resharing(from: plan.dealers, threshold: threshold, members: members) } == .thresholdOutOfRange)
    }
  }

  @Test("Members that saw different commitments, plans or names find it out") func transcripts() throws {
    let group = try Group(threshold: 2, members: 3)
    let plan = try Resharing(from: try group.signers([0, 2]), threshold: 2, members: 3)
    let (first, second) = (try plan.deal(group.dealing.shares[0]), try plan.deal(group.dealing.shares[2]))
    let seen = [first.commitment, second.commitment]
    let again = [first.commitment, try plan.deal(group.dealing.shares[2]).commitment]
    #expect(plan.transcript(of: seen) == plan.transcript(of: seen))
    let others = [
      plan.transcript(of: again), plan.transcript(of: seen, context: [1]),
      try Resharing(from: plan.dealers, threshold: 2, members: 4).transcript(of: seen),
      try Resharing(from: try group.signers([2, 0]), threshold: 2, members: 3).transcript(of: seen),
    ]
    #expect(Set(others + [plan.transcript(of: seen)]).count == 5)
  }
}
