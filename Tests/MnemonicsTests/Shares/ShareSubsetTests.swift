import SecretMemory
import TestSupport
import Testing

@testable import Mnemonics

/// Shares of which somebody forged some.
@Suite struct ShareSubsetTests {
  /// Kits of one number, each of another secret.
  private static func kit(_ seed: UInt8, _ plan: SharePlan, isExtendable: Bool = true) throws -> [[Share]] {
    var isFirst = true
    return try SharedSecret.split(try secret([UInt8](seed..<seed + 16)), into: plan, isExtendable: isExtendable) { buffer in
      if isFirst {
        buffer.storeBytes(of: UInt16(77), as: UInt16.self)
      } else {
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) &* 31 &+ seed }
      }
      isFirst = false
    }
  }

  private static func found(_ shares: [Share], most: Int = ShareSubsets.mostTries) throws(ShareError) -> FoundShares {
    var subsets = ShareSubsets()
    for (index, share) in shares.enumerated() { try subsets.add(share, at: index + 1) }
    return try subsets.secret(SharePassphrase(), most: most)
  }

  private static func bytes(_ seed: UInt8) -> [UInt8] { [UInt8](seed..<seed + 16) }

  private static func three(of five: Int = 5) throws -> SharePlan { try SharePlan(threshold: 3, count: five) }

  @Test("Honest shares give the secret even when forged shares are mixed in, in any order")
  func forgedSharesAreLeftOut() throws {
    let (honest, forged) = (try Self.kit(1, Self.three())[0], try Self.kit(100, Self.three())[0])
    var generator = Repeatable.announced()
    for _ in 0..<20 {
      let kept = Array(honest.shuffled(using: &generator).prefix(3 + Int.random(in: 0...1, using: &generator)))
      let all = (kept + forged.shuffled(using: &generator).prefix(2)).shuffled(using: &generator)
      let found = try Self.found(all)
      #expect(found.secret.withBytes { Array($0) } == Self.bytes(1))
      #expect(found.leftOut == all.indices.filter { index in forged.contains { $0 === all[index] } }.map { $0 + 1 })
    }
  }

  @Test("A share that describes the kit or its groups differently does not block the others")
  func forgedRulesAreLeftOut() throws {
    let honest = try Self.kit(1, Self.three())[0].prefix(3)
    let single = try Self.kit(100, SharePlan(threshold: 1, count: 1))[0][0]
    let flipped = try Self.kit(100, Self.three(), isExtendable: false)[0][0]
    let lower = try Self.kit(100, SharePlan(threshold: 2, count: 2))[0][1]
    let found = try Self.found([single, flipped, lower] + honest)
    #expect(found.secret.withBytes { Array($0) } == Self.bytes(1) && found.leftOut == [1, 2, 3])
  }

  @Test("Forged shares are left out in groups, too") func groupsAreSortedOut() throws {
    let plan = try SharePlan(
      groupThreshold: 2, groups: [.init(threshold: 1, count: 1), .init(threshold: 2, count: 3), .init(threshold: 2, count: 2)])
    let (honest, forged) = (try Self.kit(1, plan), try Self.kit(100, plan))
    let found = try Self.found([forged[0][0], honest[0][0], honest[1][2], forged[1][2], honest[1][0], forged[2][0]])
    #expect(found.secret.withBytes { Array($0) } == Self.bytes(1) && found.leftOut == [1, 4, 6])
    let two = try Self.found([forged[0][0], honest[2][1], honest[1][2], forged[1][2], honest[1][0], honest[2][0]])
    #expect(two.secret.withBytes { Array($0) } == Self.bytes(1))
  }

  @Test("Two complete sets of different secrets are refused, and both are named") func rivalsAreNamed() throws {
    let (honest, forged) = (try Self.kit(1, Self.three())[0], try Self.kit(100, Self.three())[0])
    #expect(throws: ShareError.rivals([[1, 3, 5], [2, 4, 6]])) {
      try Self.found([honest[0], forged[0], honest[1], forged[1], honest[4], forged[4]])
    }
  }

  @Test("A single sufficient share is trusted only when no other share contradicts it")
  func withoutADigestAllMustAgree() throws {
    let single = try SharePlan(threshold: 1, count: 1)
    let (one, other) = (try Self.kit(1, single)[0][0], try Self.kit(100, single)[0][0])
    #expect(try Self.found([one, one]).secret.withBytes { Array($0) } == Self.bytes(1))
    #expect(throws: ShareError.rivals([[1], [2]])) { try Self.found([one, other]) }
    let honest = try Self.kit(50, Self.three())[0]
    #expect(throws: ShareError.digest) { try Self.found([one, honest[0], honest[1]]) }
  }

  @Test("Too few shares, or shares that do not match, give nothing") func tooFewGiveNothing() throws {
    let (honest, forged) = (try Self.kit(1, Self.three())[0], try Self.kit(100, Self.three())[0])
    #expect(throws: ShareError.digest) { try Self.found([honest[0], honest[1], forged[2], forged[3]]) }
    #expect(throws: ShareError.digest) { try Self.found([]) }
  }

  @Test("Invented shares cannot make the search long") func theSearchIsBounded() throws {
    let plan = try SharePlan(threshold: 8, count: 16)
    let many = try (0..<5).flatMap { try Self.kit(UInt8($0) * 20, plan)[0] }
    #expect(throws: ShareError.tooManySets(limit: 200)) { try Self.found(many, most: 200) }
    #expect(throws: ShareError.tooManyShares(limit: ShareSubsets.mostShares)) {
      try Self.found(try (0..<9).flatMap { try Self.kit(UInt8($0) * 20, plan)[0] })
    }
    // No way is looked down that has no end: eight of a place make no set of two.
    let alike = try (0..<8).map { try Self.kit(UInt8($0) * 20, SharePlan(threshold: 2, count: 2))[0][0] }
    #expect(throws: ShareError.digest) { try Self.found(alike, most: 0) }
  }
}
