import BrowserHost
import JSON
import Testing

@Suite("Messages of the extension")
struct BrowserRequestTests {
  private func read(_ text: String) throws -> BrowserRequest { try BrowserRequest(message: Array(text.utf8)) }

  @Test("A page's request goes on with its origin and the extension that the browser named")
  func passesRequest() throws {
    let request = try read(
      #"{"id":"7","channel":"c-1","origin":"https://a.example","method":"sign","params":{"event":{"kind":1}},"for":{"origin":"https://b.example"}}"#
    )
    guard case .page(let page) = request else { return #expect(Bool(false), "no request of a page") }
    let line = page.line(for: "theID")
    #expect(line.last == UInt8(ascii: "\n"))
    let value = try JSONValue(parsing: Array(line.dropLast()))
    #expect(value["for"] == ["origin": "https://a.example", "extension": "theID"])
    #expect(value["params"] == ["event": ["kind": 1]])
    #expect(value["method"] == "sign")
  }

  @Test("The toolbar's messages are read")
  func readsToolbar() throws {
    #expect(try read(#"{"id":"1","method":"state"}"#) == .state(id: "1", origin: nil))
    #expect(try read(#"{"id":"1","method":"state","origin":null}"#) == .state(id: "1", origin: nil))
    #expect(
      try read(#"{"id":"1","method":"state","origin":"http://a.localhost:8080"}"#)
        == .state(id: "1", origin: "http://a.localhost:8080"))
    #expect(try read(#"{"id":"1","method":"lock"}"#) == .lock(id: "1"))
    #expect(try read(#"{"closed":"c-1"}"#) == .closed(channel: "c-1"))
  }

  @Test(
    "What is no request is refused, to its id if it has one",
    arguments: [
      ("", nil), ("[]", nil), (#"{"method":"lock"}"#, nil), (#"{"id":7,"method":"lock"}"#, nil),
      (#"{"id":"a b","method":"lock"}"#, nil),
      (#"{"method":"sign","params":{"text":"\ud800"},"id":"1"}"#, "1"), (#"{"id":"1","a":"\ud800"#, "1"),
      (#"{"a":"\"id\":\"2\"\ud800","id":"1"}"#, "1"), (#"{"id":"1","id":"2","a":"\ud800"}"#, nil),
      (#"{"id":"1","method":"unlock"}"#, "1"), (#"{"id":"1","method":"state","origin":"null"}"#, "1"),
      (#"{"id":"1","channel":"c","origin":"null","method":"getPublicKey"}"#, "1"),
      (#"{"id":"1","channel":"c","origin":"file:///etc","method":"getPublicKey"}"#, "1"),
      (#"{"id":"1","channel":"","origin":"https://a.example","method":"getPublicKey"}"#, "1"),
      (#"{"id":"1","channel":"c","origin":"https://a.example","method":"listIdentities"}"#, "1"),
      (#"{"id":"1","channel":"c","origin":"https://a.example","method":"sign","params":[]}"#, "1"),
      (#"{"id":"1","channel":"c","origin":"https://a.example/","method":"getPublicKey"}"#, "1"),
    ] as [(String, String?)])
  func refuses(text: String, id: String?) {
    #expect(throws: BrowserRequest.Unreadable(id: id)) { try read(text) }
  }

  @Test("A name is short")
  func limitsNames() throws {
    let longest = String(repeating: "a", count: BrowserRequest.longestName)
    #expect(try read(#"{"closed":"\#(longest)"}"#) == .closed(channel: longest))
    #expect(throws: BrowserRequest.Unreadable(id: nil)) { try read(#"{"closed":"\#(longest)a"}"#) }
  }

  @Test("An answer that is too long for the browser becomes an error")
  func shortensAnswer() throws {
    let line = [UInt8](repeating: 0x20, count: NativeMessaging.longestAnswer)
    #expect(BrowserAnswer.forwarded(line, to: "1") == line)
    let error = try JSONValue(parsing: BrowserAnswer.forwarded(line + [0x20], to: "1"))
    #expect(error["error"]?["code"] == "too-large")
    #expect(error["id"] == "1")
  }
}
