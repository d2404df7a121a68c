import Testing

@testable import SecretMemory

@Suite struct SecretBufferTests {
  @Test("Appended bytes keep their order", arguments: [1, 7, 4096]) func keepsWhatWasAppendedInOrder(capacity: Int) throws {
    var buffer = try SecretBuffer(capacity: capacity)
    var expected: [UInt8] = []
    for number in 0..<100 {
      let piece = [UInt8](repeating: UInt8(number), count: number * 3)
      try buffer.append(piece)
      expected += piece
    }
    #expect(buffer.count == expected.count)
    #expect(buffer.withBytes { [UInt8]($0) } == expected)
    let box = try buffer.box()
    #expect(box.withBytes { [UInt8]($0) } == expected)
  }

  @Test("A full buffer becomes a secret, and an empty one holds nothing")
  func aFullBufferIsTakenOverAndAnEmptyOneLendsNothing() throws {
    var buffer = try SecretBuffer(capacity: 3)
    #expect(buffer.withBytes { $0.count } == 0)
    try buffer.append("abc")
    #expect(try buffer.box().count == 3)
  }
}
