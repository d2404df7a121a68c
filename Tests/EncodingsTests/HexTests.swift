import Encodings
import TestSupport
import Testing

@Suite struct HexTests {
  @Test("Hex is written in lower case and read in both cases") func writesLowerCaseAndReadsBoth() {
    #expect(Hex.encode([0x00, 0x09, 0x0a, 0xff, 0xAB]) == "00090affab")
    #expect(Hex.decode("00090affab") == [0x00, 0x09, 0x0a, 0xff, 0xab])
    #expect(Hex.decode("00090AFFaB") == [0x00, 0x09, 0x0a, 0xff, 0xab])
    #expect(Hex.decode("") == [])
    #expect(Hex.encode([UInt8]()) == "")
  }

  // Full-width digits and other alphabets' are `isHexDigit` to Character, and are not hex.
  @Test(
    "Text that is not hex is refused",
    arguments: ["0", "abc", "0g", "g0", " 00", "00 ", "0x00", "0X", "００", "٠٠", "-1", "+1", "0\u{0}", "é", "\u{130}0", "1_"])
  func anythingElseIsRefused(text: String) {
    #expect(Hex.decode(text) == nil)
  }

  @Test("Each byte stands for one hex digit or for none") func everyByteHasOneDigitOrNone() {
    let digits = Array("0123456789abcdef".utf8)
    for byte in UInt8.min...UInt8.max {
      let lowered = (0x41...0x46).contains(byte) ? byte | 0x20 : byte
      #expect(Hex.value(of: byte) == digits.firstIndex(of: lowered).map { UInt8($0) })
    }
  }

  @Test("Written hex reads back the same") func readsBackWhatItWrites() {
    let seed: UInt64 = 16
    var random = Repeatable(seed: seed)
    for count in 0...100 {
      let bytes = random.bytes(count)
      #expect(Hex.decode(Hex.encode(bytes)) == bytes, "seed \(seed)")
      #expect(Hex.encode(bytes).utf8.count == 2 * count)
    }
  }
}
