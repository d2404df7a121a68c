import Testing

@testable import Sockets

@Suite struct WebSocketURLTests {
  @Test(
    "URLs are parsed and normalised",
    arguments: [
      ("ws://relay.example", "ws://relay.example", "relay.example", 80, "/"),
      ("WSS://Relay.Example/", "wss://relay.example", "relay.example", 443, "/"),
      ("wss://relay.example:443", "wss://relay.example", "relay.example", 443, "/"),
      ("ws://relay.example:443", "ws://relay.example:443", "relay.example", 443, "/"),
      ("ws://127.0.0.1:24133/relay", "ws://127.0.0.1:24133/relay", "127.0.0.1", 24133, "/relay"),
      ("ws://h/a/", "ws://h/a/", "h", 80, "/a/"),
      ("ws://[::1]:7777/x?y=1&z=%20", "ws://[::1]:7777/x?y=1&z=%20", "::1", 7777, "/x?y=1&z=%20"),
      ("ws://h?q=1", "ws://h/?q=1", "h", 80, "/?q=1"),
      ("wss://relay.example.", "wss://relay.example.", "relay.example.", 443, "/"),
    ])
  func parsesAndNormalises(text: String, normal: String, host: String, port: UInt16, target: String) throws {
    let url = try WebSocketURL(parsing: text)
    #expect(url.text == normal)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.target == target)
    #expect(try WebSocketURL(parsing: url.text) == url)
  }

  @Test(
    "A malformed WebSocket URL is refused with its fault",
    arguments: [
      ("", WebSocketURLError.notWebSocket), ("http://a", .notWebSocket), ("ws:/a", .notWebSocket), ("wss//a", .notWebSocket),
      ("ws://", .hostMalformed), ("ws:///a", .hostMalformed), ("ws://a..b", .hostMalformed), ("ws://.a", .hostMalformed),
      ("ws://a b", .characterNotAllowed(at: 6)), ("ws://a\r\n", .characterNotAllowed(at: 6)),
      ("ws://é", .characterNotAllowed(at: 5)),
      ("ws://a/#x", .characterNotAllowed(at: 7)), ("ws://u@h", .userInfo), ("ws://u:p@h/", .userInfo),
      ("ws://h:", .portMalformed),
      ("ws://h:0", .portMalformed), ("ws://h:65536", .portMalformed), ("ws://h:+80", .portMalformed),
      ("ws://h:1a", .portMalformed),
      ("ws://relay.2", .hostMalformed), ("ws://[::1", .hostMalformed), ("ws://[::g]", .hostMalformed),
      ("ws://[127.0.0.1]", .hostMalformed),
      ("ws://[::1]80", .portMalformed),
      ("ws://" + String(repeating: "a", count: 64), .hostMalformed), ("ws://a%41", .hostMalformed),
      ("ws://h/" + String(repeating: "a", count: 1_024), .tooLong(limit: 1_024)),
    ])
  func rejectsMalformedURL(text: String, fault: WebSocketURLError) {
    #expect(throws: fault) { try WebSocketURL(parsing: text) }
  }

  @Test("Two spellings of a relay's address are equal, and each is used as it was written")
  func comparesNormalised() throws {
    let (plain, slashed) = (
      try WebSocketURL(parsing: "ws://127.0.0.1:24133/relay"), try WebSocketURL(parsing: "WS://127.0.0.1:24133/%72elay/")
    )
    #expect(plain == slashed)
    #expect(Set([plain, slashed]).count == 1)
    #expect((plain.target, slashed.target) == ("/relay", "/%72elay/"))
    #expect(try plain != WebSocketURL(parsing: "ws://127.0.0.1:24133/relays"))
  }

  @Test("Random bytes never crash the URL parser") func neverTrapsOnAnyBytes() {
    var state: UInt64 = 24133
    let seeds = ["ws://[::1]:80/a?b", "wss://relay.example:443/"]
    for round in 0..<20_000 {
      var bytes = Array(seeds[round % 2].utf8)
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let place = Int(state >> 33) % max(1, bytes.count)
        switch (state >> 20) % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: state >> 40)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: state >> 44), at: place)
        }
      }
      if let url = try? WebSocketURL(parsing: String(decoding: bytes, as: UTF8.self)) {
        #expect((try? WebSocketURL(parsing: url.text)) == url)
      }
    }
  }
}
