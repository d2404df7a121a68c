import BrowserHost
import Testing

@Suite("Frames of native messaging")
struct NativeFramesTests {
  @Test("Messages are found, however the bytes arrive", arguments: [1, 3, 4, 5, 1_000])
  func findsMessages(pieceBytes: Int) throws {
    let messages = [Array("{}".utf8), Array("[1]".utf8), [UInt8](repeating: 0x20, count: 300)]
    let stream = messages.flatMap(NativeMessaging.frame)
    var frames = NativeFrames()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: pieceBytes) {
      frames.take(stream[start..<min(start + pieceBytes, stream.count)])
      while let message = try frames.next() { found.append(message) }
    }
    #expect(found == messages)
    #expect(frames.count == 0)
  }

  @Test("A message without bytes ends the stream")
  func refusesEmpty() {
    var frames = NativeFrames()
    frames.take([0, 0, 0, 0])
    #expect(throws: NativeFrames.Fault.empty) { try frames.next() }
  }

  @Test("A length over the limit is refused before the message arrives")
  func refusesTooLong() throws {
    var frames = NativeFrames()
    let limit = UInt32(NativeMessaging.longestRequest)
    frames.take(withUnsafeBytes(of: limit) { ArraySlice($0) })
    #expect(try frames.next() == nil)
    frames = NativeFrames()
    frames.take(withUnsafeBytes(of: limit + 1) { ArraySlice($0) })
    #expect(throws: NativeFrames.Fault.tooLong(limit: NativeMessaging.longestRequest)) { try frames.next() }
  }
}
