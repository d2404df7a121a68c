import BrowserHost

extension FuzzTarget {
  /// What a browser's extension sends to its helper: the frames, and the messages in them.
  static let browser = FuzzTarget("browser") { (bytes) throws(FuzzFault) in
    try message(Array(bytes))
    try frames(Array(bytes))
  }

  private static func message(_ input: [UInt8]) throws(FuzzFault) {
    switch Result(catching: { () throws(BrowserRequest.Unreadable) in try BrowserRequest(message: input) }) {
    case .success(.page(let request)):
      try require(PageRequest.methods.contains(request.method), "a page has six methods")
      let line = request.line(for: HoldfastExtension.chromiumID)
      try require(line.filter { $0 == 0x0A }.count == 1 && line.last == 0x0A, "a request is one line")
    case .success(.closed(let name)): try require(name.utf8.count <= BrowserRequest.longestName, "a name is short")
    case .success(.state(let id, _)), .success(.lock(let id)):
      try require(id.utf8.count <= BrowserRequest.longestName, "an id is short")
    case .failure(let unreadable):
      try require((unreadable.id?.utf8.count ?? 0) <= BrowserRequest.longestName, "an id is short")
    }
  }

  /// Frames are the same, whether the bytes come at once or one by one.
  private static func frames(_ input: [UInt8]) throws(FuzzFault) {
    let whole = found(in: [input[...]])
    let pieces = found(in: input.prefix(512).indices.map { input[$0...$0] } + [input.dropFirst(512)])
    try require(whole == pieces, "frames do not depend on how bytes arrive")
    try require(whole.joined().count <= input.count, "messages are part of the stream")
  }

  private static func found(in pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var (frames, messages) = (NativeFrames(), [[UInt8]]())
    for piece in pieces {
      frames.take(piece)
      do throws(NativeFrames.Fault) { while let message = try frames.next() { messages.append(message) } } catch {
        return messages
      }
    }
    return messages
  }
}
