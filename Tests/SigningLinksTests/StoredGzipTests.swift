import Encodings
import Testing

@testable import SigningLinks

@Suite struct StoredGzipTests {
  @Test("The gzip of an answer is right to the byte, also over several blocks") func gzip() {
    #expect(StoredGzip.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(
      Hex.encode(StoredGzip.file(Array("hi".utf8))) == "1f8b08000000000000ff" + "010200fdff" + "6869" + "ac2a93d8" + "02000000")
    #expect(StoredGzip.file([]).count == 10 + 5 + 8)
    #expect(StoredGzip.file([UInt8](repeating: 7, count: 0x1_0001)).count == 10 + 5 + 0xFFFF + 5 + 2 + 8)
  }
}
