import Encodings
import Foundation
import TestSupport
import Testing

@Suite struct Base64Tests {
  // RFC 4648, section 10.
  @Test(
    "The published Base64 examples are reproduced",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func publishedExamples(plain: String, text: String) {
    #expect(Base64.string(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test(
    "Text that is not Base64 is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "=", "==", "===", "====", "Z===", "Zm8", "Zm9vYg", "Zm9vYg=", "Zg==Zg==", "Zm8=Zm8=", "Zm=v",
      "=m9v",
      "Zg==\n", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v ", "Zm9-", "Zm9_", "Zm9,", "Zm9v\u{0}", "\u{0}\u{0}\u{0}\u{0}", "Zé==", "Ｚg==",
      "Zg==\u{0}",
      "Zm9*", "Z*==", "*g==", "Zm*=",
    ])
  func anythingElseIsRefused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  /// One text for one run of bytes: digits with stray bits behind the last byte are refused.
  @Test("Base64 with unused bits set is refused") func strayBitsAreRefused() {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for (value, digit) in digits.enumerated() {
      #expect((Base64.decode([0x5a, digit, 0x3d, 0x3d]) != nil) == (value % 16 == 0))
      #expect((Base64.decode([0x5a, 0x5a, digit, 0x3d]) != nil) == (value % 4 == 0))
    }
  }

  @Test("Only the characters of the Base64 alphabet are read") func onlyTheAlphabetIsRead() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for byte in UInt8.min...UInt8.max {
      for position in 0..<4 {
        var text = Array("AAAA".utf8)
        text[position] = byte
        let isRead = alphabet.contains(byte) || (position == 3 && byte == 0x3d)
        #expect((Base64.decode(text) != nil) == isRead, "byte \(byte) at \(position)")
      }
    }
  }

  @Test("Written Base64 agrees with Foundation's and reads back the same") func agreesWithFoundationAndReadsBack() throws {
    let seed: UInt64 = 64
    var random = Repeatable(seed: seed)
    for count in Array(0...66) + [1000, 65_535, 65_536] {
      let bytes = random.bytes(count)
      let text = Base64.encode(bytes)
      #expect(text == Array(Data(bytes).base64EncodedData()), "seed \(seed), count \(count)")
      #expect(text.count == Base64.encodedLength(count))
      #expect(Base64.decode(text) == bytes, "seed \(seed), count \(count)")
    }
  }

  /// Whatever is read is the one text of what it was read as.
  @Test("Base64 that was read is written the same again") func readingIsTheInverseOfWriting() {
    let seed: UInt64 = 46
    var random = Repeatable(seed: seed)
    let symbols = Array("ABab01+/==Zg8 \n-".utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in symbols[Int(random.next() % UInt64(symbols.count))] }
      guard let bytes = Base64.decode(text) else { continue }
      accepted += 1
      #expect(Base64.encode(bytes) == text, "seed \(seed)")
    }
    #expect(accepted > 1000)
  }

  @Test("Base64 can be read into memory of the caller") func readsIntoMemoryOfTheCaller() {
    func read(_ text: String) -> [UInt8]? {
      var target = [UInt8](repeating: 0xee, count: 12)
      let count = Array(text.utf8).withUnsafeBufferPointer { text in
        target.withUnsafeMutableBufferPointer { Base64.read(text, into: $0) }
      }
      return count.map { Array(target[..<$0]) }
    }
    #expect(read("") == [])
    #expect(read("Zg==") == Array("f".utf8))
    #expect(read("Zm9vYmE=") == Array("fooba".utf8))
    #expect(read("Zm9vYmFy") == Array("foobar".utf8))
    for text in ["Zh==", "Zm9=", "Zm9", "Zg=", "====", "Zg==Zg=="] { #expect(read(text) == nil) }
  }
}
