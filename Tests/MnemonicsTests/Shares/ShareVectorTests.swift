import Mnemonics
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("SLIP-39 test vectors", .vectors("SLIP-39"))
struct ShareVectorTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let shares: [String]
    let secret, root: String
    var testDescription: String { name }
  }

  static let all: [Case] = (try? read()) ?? []

  private static func read() throws -> [Case] {
    try Vectors.cases("slip39/vectors.json", "", as: [Any].self).map { row in
      try #require(row.count == 4)
      return Case(
        name: try #require(row[0] as? String), shares: try #require(row[1] as? [String]),
        secret: try #require(row[2] as? String), root: try #require(row[3] as? String))
    }
  }

  /// Which fault each refused case shows, by the number its name begins with.
  static let faults: [Int: @Sendable (ShareError) -> Bool] = [
    2: { $0 == .share(1, .checksum) }, 3: { $0 == .share(1, .padding) }, 5: isMissing, 6: { $0 == .share(2, .otherKit) },
    7: { $0 == .share(2, .otherRules) }, 8: { $0 == .share(3, .otherRules) }, 9: { $0 == .share(2, .otherRules) },
    10: { $0 == .share(1, .tooFewGroups) }, 11: { $0 == .share(2, .conflict(with: 1)) }, 12: { $0 == .share(2, .otherRules) },
    13: { $0 == .digest }, 14: isMissing, 15: isMissing, 16: isMissing,
    21: { $0 == .share(1, .checksum) }, 22: { $0 == .share(1, .padding) }, 24: isMissing, 25: { $0 == .share(2, .otherKit) },
    26: { $0 == .share(2, .otherRules) }, 27: { $0 == .share(3, .otherRules) }, 28: { $0 == .share(2, .otherRules) },
    29: { $0 == .share(1, .tooFewGroups) }, 30: { $0 == .share(2, .conflict(with: 1)) }, 31: { $0 == .share(2, .otherRules) },
    32: { $0 == .digest }, 33: isMissing, 34: isMissing, 35: isMissing,
    39: { $0 == .share(1, .wordCount(19)) }, 40: { $0 == .share(1, .wordCount(21)) },
  ]

  @Sendable static func isMissing(_ error: ShareError) -> Bool { if case .missing = error { true } else { false } }

  @Test("All published cases are read") func allCasesAreRead() throws { #expect(try Self.read().count == Self.all.count) }

  @Test("Each published case opens or is refused as published", arguments: all)
  func aCaseOpensOrIsRefused(_ example: Case) throws {
    guard !example.secret.isEmpty else {
      let refusal = fault(example.shares)
      let fault = try #require(refusal, "\(example.name): not refused")
      if let isExpected = Self.faults[Int(example.name.prefix { $0 != "." }) ?? 0] {
        #expect(isExpected(fault), "\(example.name): \(fault)")
      }
      return
    }
    let secret = try combined(example.shares, passphrase: "TREZOR")
    #expect(secret.hex() == example.secret)
    #expect(try ExtendedKey(seed: secret).serialized().text() == example.root)
  }

  private func fault(_ shares: [String]) -> ShareError? {
    do throws(ShareError) { return try combined(shares, passphrase: "TREZOR").count == 0 ? .digest : nil } catch { return error }
  }

  @Test("A share is written with the words it was read from", arguments: all)
  func aShareIsWrittenAsItWasRead(_ example: Case) throws {
    for words in example.shares {
      guard let share = try? Share(words: try secret(words)) else { continue }
      #expect(try share.words().text() == words)
      #expect(share.wordCount == words.split(separator: " ").count)
    }
  }

  @Test("The word list for shares is the published one") func theWordListIsThePublishedOne() throws {
    let published = try Vectors.lines("slip39/wordlist.txt")
    // The first word is the upper ten of the identifier's fifteen bits.
    let value = try secret([UInt8](0..<16))
    let plan = try SharePlan(threshold: 1, count: 1)
    let words = try (0..<UInt16(1024)).map { index in
      let kit = try SharedSecret.split(value, into: plan) { buffer in
        if buffer.count == 2 { buffer.storeBytes(of: index << 5, as: UInt16.self) }
      }
      return try kit[0][0].words().text().prefix { $0 != " " }.description
    }
    #expect(words == published)
  }
}
