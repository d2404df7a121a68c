import Encodings
import TestSupport
import Testing

@Suite("Base64URL")
struct Base64URLTests {
  /// RFC 4648, section 10, without padding; RFC 7515, appendix C, for the two digits of its own.
  @Test(
    "The published Base64URL examples are reproduced",
    arguments: [
      ([UInt8](), ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
      (Array("foob".utf8), "Zm9vYg"),
      ([3, 236, 255, 224, 193], "A-z_4ME"),
    ])
  func published(bytes: [UInt8], text: String) {
    #expect(Base64URL.string(bytes) == text)
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test(
    "Text that is not Base64URL is refused",
    arguments: ["Zg==", "Z", "Zh", "Zm9", "A+z/4ME", "Zg=", "Zg ", "Zm9vY", "é", "====", "Zm\n8"])
  func refusesEveryOtherForm(text: String) { #expect(Base64URL.decode(text) == nil) }

  @Test("Written Base64URL reads back the same") func readingIsTheInverseOfWriting() {
    let seed: UInt64 = 4648
    var random = Repeatable(seed: seed)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64URL.decode(Base64URL.string(bytes)) == bytes, "seed \(seed)")
    }
  }
}
