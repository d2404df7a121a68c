import Curve
import Encodings
import Nostr
import TestSupport
import Testing

@testable import VanitySearch

struct PatternTests {
  static let random = {
    var random = Repeatable.announced("PatternTests")
    return (0..<200).map { _ in
      PublicKey(Bytes32((0..<32).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }) ?? Bytes32())
    }
  }()

  @Test("A pattern for an npub matches exactly the keys that begin with it", arguments: 1...12)
  func anNpubPrefixIsWhatTheTextBeginsWith(length: Int) throws {
    for key in Self.random {
      let pattern = try VanityPattern(prefix: String(key.npub.prefix(5 + length)))
      #expect(pattern.bits == 5 * length)
      #expect(pattern.matches(key))
      for other in Self.random where other != key {
        #expect(pattern.matches(other) == other.npub.hasPrefix(pattern.prefix), "\(pattern.prefix) \(other.npub)")
      }
    }
  }

  @Test("A hex pattern matches at the beginning and at the end", arguments: 1...16)
  func hexIsComparedAtBothEnds(length: Int) throws {
    for key in Self.random {
      let prefix = try VanityPattern(prefix: String(key.hex.prefix(length)))
      let suffix = try VanityPattern(prefix: "", suffix: String(key.hex.suffix(length)))
      let both = try VanityPattern(prefix: prefix.prefix, suffix: suffix.suffix)
      #expect(prefix.bits == 4 * length && suffix.bits == 4 * length && both.bits == 8 * length)
      #expect(prefix.matches(key) && suffix.matches(key) && both.matches(key))
      for other in Self.random where other != key {
        #expect(prefix.matches(other) == other.hex.hasPrefix(prefix.prefix))
        #expect(suffix.matches(other) == other.hex.hasSuffix(suffix.suffix))
        #expect(both.matches(other) == (prefix.matches(other) && suffix.matches(other)))
      }
    }
  }

  @Test(
    "A beginning that no key can have is refused",
    arguments: [
      ("", VanityError.empty), ("npub1", .empty), ("np", .empty), ("npub", .empty),
      ("npub1abc", .notInNpub(0x62, position: 7)), ("npub1i", .notInNpub(0x69, position: 6)),
      ("npub1qo", .notInNpub(0x6F, position: 7)), ("npub1q1", .notInNpub(0x31, position: 7)),
      ("npub1Q", .upperCase(position: 6)), ("NPUB1q", .upperCase(position: 1)), ("npub1é", .notInNpub(0xC3, position: 6)),
      ("npub1qqqqqqqqqqqqq", .tooLong(limit: 12)), ("DEAD", .upperCase(position: 1)), ("xyz", .notHex(0x78, position: 1)),
      ("dea d", .notHex(0x20, position: 4)), ("00000000000000000", .tooLong(limit: 16)), ("nsec1q", .secretForm),
      ("ｄ", .notHex(0xEF, position: 1)),
    ])
  func whatNoKeyCanBeginWithIsRefused(text: String, fault: VanityError) {
    #expect(throws: fault) { try VanityPattern(prefix: text) }
  }

  @Test("A pattern for an npub's ending matches exactly the keys that end with it", arguments: 1...12)
  func theEndOfAnNpubIsWhatTheTextEndsWith(length: Int) throws {
    for key in Self.random.prefix(60) {
      let pattern = try VanityPattern(prefix: "", npubSuffix: String(key.npub.suffix(length)))
      #expect(pattern.bits == 5 * length - (length > 6 ? 4 : 0) && pattern.matches(key))
      let ending = try #require(pattern.ending)
      for other in Self.random {
        let x = FieldElement(other.bytes)
        let isFound = ending.withMatcher { pattern.matches(x) && $0.matches(x) }
        #expect(isFound == other.npub.hasSuffix(pattern.npubSuffix) && isFound == pattern.matches(other))
      }
    }
  }

  @Test(
    "An ending that no npub can have is refused",
    arguments: [
      ("b", VanityError.notInNpub(0x62, position: 1)), ("qA", .upperCase(position: 2)), ("qqqqqqqqqqqqq", .tooLong(limit: 12)),
      ("pqqqqqq", .seventhFromTheEnd(position: 1)), ("qqqsaceace", nil), ("sqqqqqq", nil),
      ("ppqqqqqq", .seventhFromTheEnd(position: 2)),
    ])
  func whatNoNpubEndsWithIsRefused(text: String, fault: VanityError?) {
    guard let fault else {
      #expect(throws: Never.self) { try VanityPattern(prefix: "", npubSuffix: text) }
      return
    }
    #expect(throws: fault) { try VanityPattern(prefix: "", npubSuffix: text) }
  }

  @Test("Two different endings are refused") func oneEndIsAskedFor() {
    #expect(throws: VanityError.twoEnds) { try VanityPattern(prefix: "", suffix: "00", npubSuffix: "q") }
  }

  @Test("A hex ending must be hex and not too long") func theSuffixIsHexOnly() {
    #expect(throws: VanityError.notHex(0x71, position: 1)) { try VanityPattern(prefix: "npub1q", suffix: "q") }
    #expect(throws: VanityError.tooLong(limit: 16)) { try VanityPattern(prefix: "a", suffix: "00000000000000000") }
  }

  @Test("The estimated time is that of independent attempts") func theEstimateIsThatOfIndependentTries() throws {
    let pattern = try VanityPattern(prefix: "0000")
    let estimate = VanityEstimate(pattern, keysPerSecond: 65_536)
    #expect(abs(estimate.half - 0.693_147) < 1e-5 && abs(estimate.most - 2.995_732) < 1e-5)
    #expect(abs(VanityEstimate.chance(pattern, tried: 45_426) - 0.5) < 1e-4)
    #expect(VanityEstimate.chance(pattern, tried: 0) == 0)
  }
}
