import Nostr
import TestVectors
import Testing

@Suite("Bech32")
struct Bech32Tests {
  /// Whether the text has a right checksum; stray bits count as right, for BIP-173 knows no bytes.
  private func fault(_ text: String, limit: Int = 5000) -> EntityError? {
    do throws(EntityError) {
      try text.bytes.withUnsafeBufferPointer { (bytes) throws(EntityError) in
        try Bech32.withBytes(in: UnsafeRawBufferPointer(bytes), limit: limit) { _, _ in }
      }
      return nil
    } catch { return error == .strayBits ? nil : error }
  }

  // From BIP-173's text.
  @Test(
    "Valid Bech32 is accepted", arguments: ["A12UEL5L", "a12uel5l", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "?1ezyfcl"])
  func takesValidStrings(text: String) { #expect(fault(text) == nil) }

  @Test(
    "Invalid Bech32 is refused with the fault",
    arguments: [
      (" 1nwldj5", EntityError.invalidCharacter(at: 0)),
      ("\u{7f}1axkwrx", .invalidCharacter(at: 0)),
      ("pzry9x0s0muk", .missingPrefix),
      ("1pzry9x0s0muk", .missingPrefix),
      ("x1b4n0q5v", .invalidCharacter(at: 2)),
      ("li1dgmt3", .tooShort),
      ("A1G7SGD8", .wrongChecksum),
      ("A12uEL5L", .mixedCase),
      ("a1lqfn3a", .bech32m),
      ("", .missingPrefix),
      ("1", .missingPrefix),
      ("a1", .tooShort),
    ])
  func refusesInvalidStrings(text: String, expected: EntityError) { #expect(fault(text) == expected) }

  @Test("The published Bech32 strings are accepted or refused as published", .vectors("BIP-173 strings")) func vectors() throws {
    for text in try Vectors.cases("bech32/bip173.json", "valid_strings", as: String.self) {
      #expect(fault(text) == nil, "\(text)")
    }
    for item in try Vectors.cases("bech32/bip173.json", "invalid_strings") {
      let text = try #require(item["string"] as? String)
      if item["reason"] as? String == "overall max length exceeded" {
        // NIP-19 has no limit of 90; with that limit the text is refused.
        #expect(fault(text) == nil)
        #expect(fault(text, limit: 90) == .tooLong(limit: 90))
      } else {
        #expect(fault(text) != nil, "\(text)")
      }
    }
    for text in try Vectors.cases("bech32/bip350.json", "valid_strings", as: String.self) { #expect(fault(text) == .bech32m) }
    for item in try Vectors.cases("bech32/bip350.json", "invalid_strings") {
      let text = try #require(item["string"] as? String)
      #expect(fault(text, limit: 90) != nil, "\(text)")
    }
  }
}
