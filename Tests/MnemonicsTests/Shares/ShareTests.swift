import SecretMemory
import TestSupport
import Testing

@testable import Mnemonics

@Suite struct ShareTests {
  static let sample = [
    "shadow pistol academic always adequate wildlife fancy gross oasis cylinder mustang wrist rescue view short owner flip making coding armed",
    "shadow pistol academic acid actress prayer class unknown daughter sweater depict flip twice unkind craft early superior advocate guest smoking",
  ]

  @Test("Any sufficient set of shares restores the secret") func anyEnoughSharesGiveTheSecretBack() throws {
    var random = Repeatable.announced()
    for _ in 0..<40 {
      let length = 16 + 2 * Int.random(in: 0...8, using: &random)
      let original = random.bytes(length)
      let groups = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let count = Int.random(in: 1...6, using: &random)
        return SharePlan.Group(threshold: count == 1 ? 1 : Int.random(in: 2...count, using: &random), count: count)
      }
      let plan = try SharePlan(groupThreshold: Int.random(in: 1...groups.count, using: &random), groups: groups)
      let passphrase = Bool.random(using: &random) ? "correct horse" : nil
      let made = try kit(
        try secret(original), plan, passphrase: passphrase, isExtendable: Bool.random(using: &random))
      #expect(made.map(\.count) == groups.map(\.count))
      let chosen = made.indices.shuffled(using: &random).prefix(plan.groupThreshold).flatMap { index in
        made[index].shuffled(using: &random).prefix(groups[index].threshold)
      }.shuffled(using: &random)
      #expect(try combined(chosen, passphrase: passphrase).array() == original)
      #expect(try combined(made.flatMap { $0 }, passphrase: passphrase).array() == original, "more than needed fit, too")
      guard chosen.count > 1 else { continue }
      #expect(throws: ShareError.self) { _ = try combined(Array(chosen.dropLast()), passphrase: passphrase) }
    }
  }

  @Test("A kit of 16 groups with 16 shares each can be made and restored") func theLargestKitIsMade() throws {
    let plan = try SharePlan(groupThreshold: 16, groups: Array(repeating: .init(threshold: 16, count: 16), count: 16))
    let made = try kit(try secret([UInt8](repeating: 7, count: 32)), plan)
    #expect(made.count == 16 && made.allSatisfy { $0.count == 16 })
    #expect(try combined(made.flatMap { $0 }).array() == [UInt8](repeating: 7, count: 32))
  }

  @Test("A wrong recovery code gives another secret without an error")
  func anotherPassphraseGivesAnotherSecretAndNoError() throws {
    let original = [UInt8](0..<16)
    let made = try kit(try secret(original), try SharePlan(threshold: 2, count: 3), passphrase: "right")[0]
    #expect(try combined(Array(made.prefix(2)), passphrase: "right").array() == original)
    #expect(try combined(Array(made.prefix(2)), passphrase: "wrong").array() != original)
    #expect(try combined(Array(made.prefix(2))).array() != original)
  }

  @Test("The iteration exponent is part of the shares", arguments: [0, 1, 2])
  func theExponentIsPartOfTheKit(exponent: Int) throws {
    let made = try kit(try secret([UInt8](0..<16)), try SharePlan(threshold: 2, count: 2), exponent: exponent)[0]
    #expect(try collected(made).numbers?.exponent == exponent)
    #expect(try combined(made).array() == [UInt8](0..<16))
  }

  @Test("Any single wrong word in a share is detected") func anyOneWrongWordIsNoticed() throws {
    let words = Self.sample[0].split(separator: " ").map(String.init)
    for position in words.indices {
      var changed = words
      changed[position] = changed[position] == "academic" ? "zero" : "academic"
      #expect(throws: (any Error).self) { try collected([changed.joined(separator: " "), Self.sample[1]]) }
    }
    for position in words.indices.dropLast() where words[position] != words[position + 1] {
      var swapped = words
      swapped.swapAt(position, position + 1)
      #expect(throws: ShareError.share(1, .checksum)) { try collected([swapped.joined(separator: " ")]) }
    }
  }

  @Test(
    "Words are read however people write them down",
    arguments: [
      { $0.uppercased() }, { $0.replacing(" ", with: "\r\n\t ") },
      { $0.split(separator: " ").map { String($0.prefix(4)) }.joined(separator: " ") },
      { $0.split(separator: " ").enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n") },
      { $0.split(separator: " ").enumerated().map { "\($0.offset + 1)) \($0.element)," }.joined(separator: "  ") },
      { "  " + $0.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-") + "\n\n" },
    ] as [@Sendable (String) -> String])
  func wordsAreReadAsPeopleWriteThem(form: @Sendable (String) -> String) throws {
    #expect(try combined(Self.sample.map(form), passphrase: "TREZOR").hex() == "b43ceb7e57a0ea8766221624d01b0864")
  }

  @Test(
    "A malformed share gets an error that names the fault",
    arguments: [
      ("", ShareTextError.wordCount(0)), ("academic", .wordCount(1)), ("1 2 3", .wordCount(0)),
      ("duckling enlarge acadenic academic agency", .unknownWord(position: 3)), ("aca", .unknownWord(position: 1)),
      ("academics", .unknownWord(position: 1)), ("académic", .unknownWord(position: 1)),
      (String(repeating: "academic ", count: 70), .wordCount(65)), (String(repeating: "academic ", count: 21), .wordCount(21)),
      (String(repeating: "academic ", count: 20), .checksum), (String(repeating: " ", count: 5000), .wordCount(0)),
    ])
  func namesWhatIsWrongWithAShare(text: String, fault: ShareTextError) {
    #expect(throws: fault) { try read(text) }
  }

  @Test(
    "The nearest valid word is suggested",
    arguments: [
      ("acadenic", "academic"), ("ducling", "duckling"), ("enlarge", "enlarge"), ("galsses", "glasses"), ("ARMD", "armed"),
    ])
  func theNearestWordIsSuggested(typed: String, word: String) throws {
    #expect(try ShareText.suggestion(for: try secret("academic 2. \(typed)"), at: 2)?.text() == word)
  }

  @Test("No word is suggested when none is close", arguments: ["xyzzyq", "qqqqqqqqqqqqqqqqqqqqqqqqqqqq", "ac"])
  func nothingIsSuggestedWhenNothingIsNear(
    typed: String
  ) throws {
    #expect(try ShareText.suggestion(for: try secret(typed), at: 1)?.text() == nil)
    #expect(try ShareText.suggestion(for: try secret(typed), at: 7)?.text() == nil)
  }

  @Test("A foreign, a duplicate and a missing share are named") func aForeignADuplicateAndAMissingShareAreNamed() throws {
    let plan = try SharePlan(threshold: 3, count: 5)
    let (mine, theirs) = (try kit(try secret([UInt8](0..<32)), plan)[0], try kit(try secret([UInt8](1..<33)), plan)[0])
    #expect(throws: ShareError.share(2, .otherKit)) { try collected([mine[0], theirs[1]]) }
    #expect(throws: ShareError.share(3, .duplicate(of: 1))) { try collected([mine[0], mine[1], mine[0]]) }
    let progress = try collected([mine[4], mine[0]]).progress
    #expect(progress == ShareProgress(groupThreshold: 1, groupCount: 1, groups: [.init(number: 1, threshold: 3, have: 2)]))
    #expect(throws: ShareError.missing(try #require(progress))) { try combined([mine[4], mine[0]]) }
  }

  @Test("A forged share is found when there is one share more than needed")
  func aForgedShareIsNamedWhenThereIsOneMoreThanNeeded() throws {
    // Two kits of one identifier: what an attacker makes who has seen one share.
    let plan = try SharePlan(threshold: 2, count: 4)
    var fixed = Repeatable(seed: 39)
    let genuine = try SharedSecret.split(try secret([UInt8](0..<16)), into: plan, random: { fill($0, &fixed) })[0]
    fixed = Repeatable(seed: 39)
    let forged = try SharedSecret.split(try secret([UInt8](1..<17)), into: plan, random: { fill($0, &fixed) })[0]
    #expect(genuine[0].numbers == forged[0].numbers)
    for order in [[0, 1, 2], [0, 2, 1], [2, 0, 1]] {
      var collection = ShareCollection()
      for index in order { try collection.add(index == 2 ? forged[2] : genuine[index]) }
      #expect(throws: ShareError.share((order.firstIndex(of: 2) ?? 0) + 1, .disagrees)) { try collection.secret() }
    }
    var pair = ShareCollection()
    try pair.add(genuine[0])
    try pair.add(forged[2])
    #expect(throws: ShareError.digest) { try pair.secret() }
  }

  @Test(
    "An invalid plan for shares gets an error that names the fault",
    arguments: [
      (1, [(1, 2)], SharePlanError.copies(group: 1)), (1, [(3, 2)], .memberThreshold(group: 1)),
      (2, [(2, 3)], .groupThreshold(2)),
      (0, [(2, 3)], .groupThreshold(0)), (1, [], .groupCount(0)), (1, [(2, 17)], .memberCount(group: 1)),
      (1, [(2, 3), (0, 3)], .memberThreshold(group: 2)), (1, Array(repeating: (1, 1), count: 17), .groupCount(17)),
      (1, [(1, 1), (1, Int.max)], .memberCount(group: 2)),
    ])
  func namesWhatIsWrongWithAPlan(threshold: Int, groups: [(Int, Int)], fault: SharePlanError) {
    #expect(throws: ShareError.plan(fault)) {
      try SharePlan(groupThreshold: threshold, groups: groups.map { .init(threshold: $0.0, count: $0.1) })
    }
  }

  @Test("A secret of the wrong length is not split", arguments: [14, 15, 17, 31, 33, 34])
  func refusesASecretOfAnotherLength(length: Int) throws {
    let value = try secret([UInt8](repeating: 1, count: length))
    let plan = try SharePlan(threshold: 2, count: 3)
    #expect(throws: ShareError.secretLength(length)) { try SharedSecret.split(value, into: plan) }
  }

  @Test("A recovery code must be printable ASCII and not too long") func refusesAPassphraseThatIsNotPrintableASCII() throws {
    let plan = try SharePlan(threshold: 2, count: 3)
    #expect(throws: ShareError.passphraseCharacter(position: 2)) {
      try SharedSecret.split(try secret([UInt8](0..<16)), into: plan, passphrase: try secret("pässword"))
    }
    #expect(throws: ShareError.passphraseTooLong(limit: 1024)) {
      try SharedSecret.split(try secret([UInt8](0..<16)), into: plan, passphrase: try secret(String(repeating: "a", count: 1025)))
    }
  }

  @Test("A printed share shows no word") func nothingOfAShareIsPrinted() throws {
    let share = try Share(words: try secret(Self.sample[0]))
    var dumped = ""
    dump(share, to: &dumped)
    for text in ["\(share)", String(reflecting: share), dumped] {
      #expect(!text.contains("shadow") && !text.contains("SecretBox"))
    }
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ random: inout Repeatable) {
    buffer.copyBytes(from: random.bytes(buffer.count))
  }
}
