import JSON
import LocalAccess
import OwnerAPI
import SecretMemory
import Sockets

extension FuzzTarget {
  /// The control socket from both sides, and the pieces of a WebSocket message.
  static let control = FuzzTarget("control") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    try request(input)
    try answer(input)
    if let tree = try? JSONValue(parsing: input), let response = ControlResponse(json: tree) {
      try require(ControlResponse(json: response.json) == response, "a response survives a round trip")
    }
    if let response = ControlResponse(framed: bytes, limits: .standard), case .success(let result) = response,
      let again = try? response.framed()
    {
      let read = again.withBytes { ControlResponse(framed: $0, limits: .standard) }
      try require(read == .success(result), "secrets survive a round trip")
    }
    try require(isValidUTF8(bytes) == (String(validating: input, as: UTF8.self) != nil), "two ways to UTF-8 agree")
    try message(bytes)
  }

  private static func request(_ input: [UInt8]) throws(FuzzFault) {
    guard let request = try? ControlRequest(operation: "client/list", body: input) else { return }
    try require(
      request.parameters.members != nil && request.parameters["secrets"] == nil, "parameters are an object, without secrets")
    try require(request.secrets.count <= ControlRequest.mostSecrets, "secrets have a limit")
    for secret in request.secrets.values {
      try require((1...ControlRequest.longestSecret).contains(secret.count), "a secret has a length")
    }
  }

  /// In one piece and in two, an answer is the same.
  private static func answer(_ input: [UInt8]) throws(FuzzFault) {
    let framed = Array("HTTP/1.1 200 OK\r\n".utf8) + input
    for bytes in [input, framed] {
      let whole = read([bytes[...]])
      try require(read([bytes[..<(bytes.count / 2)], bytes[(bytes.count / 2)...]]) == whole, "pieces make no difference")
      try require((whole?.count ?? 0) <= bytes.count, "a body is part of the answer")
    }
  }

  private static func read(_ pieces: [ArraySlice<UInt8>]) -> [UInt8]? {
    do {
      var reader = try AnswerReader(limit: 1 << 16)
      for piece in pieces { try reader.take(piece) }
      return try reader.isWhole(false) ? reader.withBody { Array($0) } : nil
    } catch { return nil }
  }

  private static func message(_ bytes: UnsafeRawBufferPointer) throws(FuzzFault) {
    var feed = ByteFeed(bytes)
    let limit = 256
    var assembly = MessageAssembly(limit: limit)
    var sent: [UInt8] = []
    while !feed.isEmpty {
      let (flags, promised) = (feed.byte(), Int(truncatingIfNeeded: feed.int64()))
      let piece = feed.shortBytes()
      sent += piece
      let step = piece.withUnsafeBytes {
        assembly.add($0, bytesToCome: promised, endsFrame: flags & 1 == 1, endsMessage: flags & 2 == 2)
      }
      switch step {
      case .incomplete: try require(sent.count <= limit, "no more than the limit is kept")
      case .fault: return
      case .complete(let whole):
        try require(whole == sent && whole.count <= limit, "a message is its pieces")
        sent = []
      }
    }
  }
}
