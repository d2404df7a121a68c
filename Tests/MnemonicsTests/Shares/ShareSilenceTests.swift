import Mnemonics
import SecretMemory
import TestSupport
import Testing

/// Nothing of a secret that was split and put together stays in memory once its owners are gone.
@Suite struct ShareSilenceTests {
  @Test("A secret that was split leaves no copy in memory", arguments: [false, true])
  func nothingIsLeftOfASplitSecret(withPassphrase: Bool) throws {
    let canary = Canary(withPassphrase ? 0x511b39 : 0x511b38)
    func useAndCount() throws -> Int {
      let original = try SecretBytes(count: Canary.length) { canary.plant(in: $0) }
      let plan = try SharePlan(groupThreshold: 2, groups: [.init(threshold: 2, count: 3), .init(threshold: 3, count: 5)])
      let passphrase = try secret("correct horse")
      let kit =
        withPassphrase
        ? try SharedSecret.split(original, into: plan, passphrase: passphrase) : try SharedSecret.split(original, into: plan)
      var collection = ShareCollection()
      for share in [kit[0][2], kit[1][4], kit[1][0], kit[0][1], kit[1][2]] {
        try collection.add(try Share(words: try share.words()))
      }
      let again = withPassphrase ? try collection.secret(passphrase: passphrase) : try collection.secret()
      let isSame = again.equals(original)
      #expect(isSame)
      return MemoryScan.occurrences(of: canary)
    }
    #expect(try useAndCount() == 2)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }

  /// A share that is the canary: its value and its words.
  @Test("A share leaves no copy in memory") func nothingIsLeftOfAShare() throws {
    let canary = Canary(0x511b37)
    func useAndCount() throws -> Int {
      // With a threshold of three the first share is what the generator gave.
      let plan = try SharePlan(threshold: 3, count: 3)
      let shares = try SharedSecret.split(
        try secret([UInt8](0..<32)), into: plan, random: { if $0.count == Canary.length { canary.plant(in: $0) } })[0]
      let again = try Share(words: try shares[0].words())
      #expect(again.numbers.memberIndex == 0)
      return MemoryScan.occurrences(of: canary)
    }
    #expect(try useAndCount() == 2)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }
}
