import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing
import UnicodeNormalization

@Suite struct NormalizationTests {
  // The example of NIP-49: U+212B U+2126 U+1E9B U+0323.
  @Test("The composition published in NIP-49 is reproduced") func compatibilityCompositionOfNIP49() throws {
    let text = Hex.decode("e284abe284a6e1ba9bcca3") ?? []
    #expect(try text.withUnsafeBytes { try Normalization.nfkc($0).hex() } == "c385cea9e1b9a9")
  }

  @Test(
    "Compatibility characters are decomposed",
    arguments: [
      ("ﬁ²Ⅸ", "fi2IX"), ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"), ("a\u{3000}b\u{a0}c", "a b c"),
      ("e\u{301}\u{323}", "e\u{323}\u{301}"), ("\u{0}", "\u{0}"), ("\u{fdfa}", "صلى الله عليه وسلم"),
    ])
  func compatibilityDecomposition(text: String, expected: String) throws {
    let normal = try Array(text.utf8).withUnsafeBytes { try Normalization.nfkd($0).array() }
    #expect(normal == Array(expected.utf8))
  }

  @Test("Normalization agrees with Foundation's") func agreesWithFoundation() throws {
    let seed: UInt64 = 15
    var random = Repeatable(seed: seed)
    for _ in 0..<300 {
      let scalars = (0..<20).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x2fff, using: &random)) }
      // Only what is assigned in both libraries' versions of Unicode.
      let text = String(String.UnicodeScalarView(scalars.filter { $0.properties.age.map { $0.major < 12 } ?? false }))
      guard !text.isEmpty else { continue }
      let bytes = Array(text.utf8)
      let decomposed = try bytes.withUnsafeBytes { try Normalization.nfkd($0).array() }
      #expect(decomposed == Array(text.decomposedStringWithCompatibilityMapping.utf8), "seed \(seed)")
      let composed = try bytes.withUnsafeBytes { try Normalization.nfkc($0).array() }
      #expect(composed == Array(text.precomposedStringWithCompatibilityMapping.utf8), "seed \(seed)")
    }
  }

  @Test("The longest text fits even when decomposition makes it grow most") func growthAtTheLimitFits() throws {
    let longest = Array(String(repeating: "\u{fdfa}", count: Normalization.longestText / 3).utf8)
    #expect(try longest.withUnsafeBytes { try Normalization.nfkd($0).count } == longest.count / 3 * 33)
  }

  @Test("Text that is empty or too long is refused") func emptyAndLongTextIsRefused() {
    #expect(throws: NormalizationError.empty) { try Normalization.nfkc(UnsafeRawBufferPointer(start: nil, count: 0)).count }
    let long = [UInt8](repeating: 0x61, count: Normalization.longestText + 1)
    #expect(throws: NormalizationError.tooLong(limit: Normalization.longestText)) {
      try long.withUnsafeBytes { try Normalization.nfkd($0).count }
    }
  }

  @Test("Valid UTF-8 is accepted and anything else refused") func anyBytesAreReadOrRefused() throws {
    var random = Repeatable(seed: 8)
    for length in 1...400 {
      let bytes = random.bytes(length % 40 + 1)
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      let accepted = (try? bytes.withUnsafeBytes { try Normalization.nfkc($0).count }) != nil
      #expect(accepted == isValid)
    }
  }
}
