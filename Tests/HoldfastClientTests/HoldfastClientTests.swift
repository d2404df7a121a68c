import Curve
import Encodings
import HoldfastClient
import JSON
import Nostr
import Platform
import Sockets
import Testing

/// A signer that says what a test tells it to. What the real one says is shown in `interop/local_programs`.
private final class ScriptedSigner: LineHandler {
  let home: String
  private let loop: EventLoop
  private let answer: @Sendable (JSONValue) -> String?

  /// - Parameter answer: a line, from the request; nil to close the connection.
  init(_ answer: @escaping @Sendable (JSONValue) -> String?) throws {
    self.answer = answer
    home = "/tmp/hf-client-\(getpid())-\(Clock.monotonicMicroseconds)"
    mkdir(home, 0o700)
    loop = try EventLoop()
    loop.start()
    _ = try loop.listen(.init(.unix(path: home + "/app.sock")), service: Service(lines: LineLimits()) { _ in self })
  }

  func received(_ connection: LineConnection, line: [UInt8]) {
    guard let request = try? JSONValue(parsing: line), let text = answer(request) else { return connection.close() }
    if !text.isEmpty { connection.send(Array(text.utf8)) }
  }

  func closed(_ connection: LineConnection) {}

  func stop() {
    loop.stop()
    rmdir(home)
  }
}

@Suite struct HoldfastClientTests {
  private static func sign(_ request: JSONValue, by key: KeyPair, _ change: (EventTemplate) -> EventTemplate = { $0 }) -> String {
    guard let event = request["params"]?["event"], let template = try? EventTemplate(parsing: event.serialized()),
      let signed = try? change(template).unsigned(by: key.publicKey, now: 1_750_000_000).signed(by: key)
    else { return "" }
    return #"{"id":\#(id(request)),"result":\#(String(decoding: signed.json(), as: UTF8.self))}"#
  }

  private static func id(_ request: JSONValue) -> String {
    String(decoding: (request["id"] ?? .null).serialized(), as: UTF8.self)
  }

  private static func error(_ body: () throws -> Void) -> HoldfastClientError? {
    do {
      try body()
      return nil
    } catch { return error as? HoldfastClientError }
  }

  @Test("The client checks the signed event before it returns it") func itSigns() throws {
    let key = try KeyPair.random()
    let signer = try ScriptedSigner { Self.sign($0, by: key) }
    defer { signer.stop() }
    let template = EventTemplate(kind: 1, tags: [["t", "x"]], content: "Hällo \"you\"\n")
    let event = try HoldfastClient(home: signer.home).sign(template)
    #expect(event.pubkey == key.publicKey && event.content == template.content && event.tags == template.tags)
  }

  @Test("An event that is not what was to be signed is refused") func itChecksTheEvent() throws {
    let key = try KeyPair.random()
    let changes: [@Sendable (EventTemplate) -> EventTemplate] = [
      { EventTemplate(kind: $0.kind, content: "another text") }, { EventTemplate(kind: 5, content: $0.content) },
      { EventTemplate(kind: $0.kind, tags: [["p", "x"]], content: $0.content) },
    ]
    for change in changes {
      let signer = try ScriptedSigner { Self.sign($0, by: key, change) }
      let client = try HoldfastClient(home: signer.home)
      #expect(Self.error { _ = try client.sign(EventTemplate(kind: 1, content: "x")) } == .unreadable)
      signer.stop()
    }
    let forged = try ScriptedSigner { Self.sign($0, by: key).replacingLastSignatureDigit() }
    defer { forged.stop() }
    let client = try HoldfastClient(home: forged.home)
    #expect(Self.error { _ = try client.sign(EventTemplate(kind: 1, content: "x")) } == .unreadable)
  }

  @Test("A refusal carries the signer's code and sentence") func aRefusalHasItsCode() throws {
    let signer = try ScriptedSigner { #"{"id":\#(Self.id($0)),"error":{"code":"denied","message":"user rejected"}}"# }
    defer { signer.stop() }
    let client = try HoldfastClient(home: signer.home)
    #expect(Self.error { _ = try client.publicKey() } == .refused(code: "denied", message: "user rejected"))
    #expect(Self.error { _ = try client.identities() } == .refused(code: "denied", message: "user rejected"))
  }

  @Test(
    "An answer that cannot be read is an error of its own",
    arguments: ["x", "[]", "{}", #"{"id":"2","result":"y"}"#, #"{"id":"1"}"#, #"{"id":"1","error":{}}"#])
  func faultyAnswers(line: String) throws {
    let signer = try ScriptedSigner { _ in line }
    defer { signer.stop() }
    let client = try HoldfastClient(home: signer.home)
    #expect(Self.error { _ = try client.publicKey() } == .unreadable)
  }

  @Test("A call without an answer ends after the given seconds, and a late answer is not taken for the next one")
  func itWaitsAsLongAsItWasTold() throws {
    let signer = try ScriptedSigner { _ in "" }
    defer { signer.stop() }
    let client = try HoldfastClient(home: signer.home, seconds: 1)
    #expect(Self.error { _ = try client.publicKey() } == .timedOut)
    #expect(Self.error { _ = try client.publicKey() } == .closed)
  }

  @Test("The errors tell a signer that ended from one that does not run") func itTellsTheEnd() throws {
    let signer = try ScriptedSigner { _ in nil }
    let client = try HoldfastClient(home: signer.home)
    #expect(Self.error { _ = try client.publicKey() } == .closed)
    signer.stop()
    #expect(Self.error { _ = try HoldfastClient(home: signer.home) } == .notRunning)
    #expect(Self.error { _ = try HoldfastClient(home: String(repeating: "x", count: 200)) } == .notRunning)
  }

  @Test("Every call sends what docs/LOCAL-PROGRAMS.md says") func requestsAreAsDocumented() throws {
    let asked = Locked<[String]>([])
    let key = try KeyPair.random().publicKey
    let signer = try ScriptedSigner { request in
      asked.withLock { $0.append(String(decoding: request.serialized(), as: UTF8.self)) }
      return request["method"]?.string == "listIdentities"
        ? #"{"id":\#(Self.id(request)),"result":[{"name":"a","pubkey":"\#(key.hex)","npub":""}]}"#
        : #"{"id":\#(Self.id(request)),"result":"\#(key.hex)"}"#
    }
    defer { signer.stop() }
    let client = try HoldfastClient(home: signer.home)
    #expect(try client.publicKey(of: "work") == key)
    #expect(try client.encrypt("t", to: key) == key.hex)
    #expect(try client.decrypt("p", from: key, as: "work") == key.hex)
    #expect(try client.identities().map(\.name) == ["a"])
    #expect(
      asked.withLock { $0 } == [
        #"{"v":1,"id":"1","method":"getPublicKey","params":{"identity":"work"}}"#,
        #"{"v":1,"id":"2","method":"nip44Encrypt","params":{"pubkey":"\#(key.hex)","plaintext":"t"}}"#,
        #"{"v":1,"id":"3","method":"nip44Decrypt","params":{"pubkey":"\#(key.hex)","ciphertext":"p","identity":"work"}}"#,
        #"{"v":1,"id":"4","method":"listIdentities","params":{}}"#,
      ])
  }
}

extension String {
  /// The same with another last hex digit of the signature.
  fileprivate func replacingLastSignatureDigit() -> String {
    guard let end = range(of: #""}}"#)?.lowerBound ?? indices.last else { return self }
    let digit = index(before: end)
    return self[..<digit] + (self[digit] == "0" ? "1" : "0") + self[end...]
  }

  private func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
