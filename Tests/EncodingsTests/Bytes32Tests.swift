import Encodings
import TestSupport
import Testing

@Suite struct Bytes32Tests {
  @Test("Only exactly 32 bytes are accepted", arguments: [0, 1, 31, 33, 64])
  func hasExactly32Bytes(count: Int) {
    let bytes = [UInt8](repeating: 1, count: count)
    #expect(Bytes32(bytes) == nil)
    #expect(bytes.withUnsafeBytes { Bytes32(copying: $0) } == nil)
    #expect(Bytes32(hex: String(repeating: "01", count: count)) == nil)
  }

  @Test("Only exactly 64 hex digits are accepted", arguments: ["6", "g", " ", "０"])
  func hexHasExactly64Digits(last: String) {
    let text = String(repeating: "a", count: 63) + last
    #expect((Bytes32(hex: text) != nil) == (last == "6"))
    #expect(Bytes32(hex: text.uppercased())?.hex == (last == "6" ? text : nil))
    #expect(Bytes32(hex: text + "0") == nil)
  }

  @Test("The bytes keep their order") func keepsTheOrderOfItsBytes() {
    let bytes = Array<UInt8>(1...32)
    let value = Bytes32(bytes)
    #expect(value?.array == bytes)
    #expect(value?.hex == Hex.encode(bytes))
    #expect(value.map { "\($0)" } == Hex.encode(bytes))
    #expect(Bytes32 { $0.copyBytes(from: bytes) } == value)
    #expect(bytes.withUnsafeBytes { Bytes32(copying: $0) } == value)
    #expect(Bytes32().array == [UInt8](repeating: 0, count: 32))
    #expect(Bytes32(bytes[...])?.array == bytes)
  }

  /// Order and equality are those of the bytes read as one big number, whichever of the four words differs.
  @Test("Values sort in the order of their hex text") func orderIsThatOfTheHexText() {
    let seed: UInt64 = 32
    var random = Repeatable(seed: seed)
    for _ in 0..<500 {
      var one = random.bytes(32)
      var other = one
      let position = Int.random(in: 0..<32, using: &random)
      other[position] = UInt8(truncatingIfNeeded: random.next())
      if random.next() % 2 == 0 { swap(&one, &other) }
      guard let left = Bytes32(one), let right = Bytes32(other) else { continue }
      #expect((left < right) == (left.hex < right.hex), "seed \(seed)")
      #expect((left == right) == (one == other), "seed \(seed)")
      #expect(left != right || left.hashValue == right.hashValue)
    }
  }

  @Test("Every byte counts in comparisons and hashes") func everyByteCountsInEqualityAndHash() {
    let zero = Bytes32()
    var all: Set<Bytes32> = [zero]
    for position in 0..<32 {
      var bytes = zero.array
      bytes[position] = 1
      guard let other = Bytes32(bytes) else { continue }
      #expect(other != zero && zero < other && other.hashValue != zero.hashValue)
      all.insert(other)
    }
    #expect(all.count == 33)
  }
}
