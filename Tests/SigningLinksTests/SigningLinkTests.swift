import Curve
import Encodings
import Nostr
import RemoteSigning
import Testing

@testable import SigningLinks

@Suite struct SigningLinkTests {
  private static let event = #"{"kind":1,"content":"x & y","tags":[["t","a"]],"created_at":5}"#
  private static let callback = "https%3A%2F%2Fa.example%2Fcb%3Fx%3D1"

  static func link(_ text: String) -> Result<SigningLink, LinkFault> {
    Result { () throws(LinkFault) in try SigningLink(text) { $0 == "myapp" } }
  }

  private static func sign(_ json: String = event, _ more: String = "") -> String {
    "keyfob://sign?payload=\(Base64URL.string(Array(json.utf8)))&cb=\(callback)\(more)"
  }

  @Test(
    "The same request comes in three forms",
    arguments: [
      "keyfob://sign", "KEYFOB://SIGN/", "holdfast://sign", "https://signer.example/app/sign", "http://127.0.0.1:24133/app/sign",
    ])
  func formsMeanTheSame(beginning: String) throws {
    let link = try Self.link(Self.sign().replacing("keyfob://sign", with: beginning)).get()
    #expect(link.callback.place == "https://a.example")
    let template = EventTemplate(createdAt: 5, kind: 1, tags: [["t", "a"]], content: "x & y")
    #expect(link.request == .success(.sign(template)))
  }

  @Test("The public key is asked for without a payload") func publicKeys() throws {
    let link = try Self.link("keyfob://pubkey?cb=\(Self.callback)&nonce=a%20b").get()
    #expect(link.request == .success(.publicKey))
    let key = try KeyPair.random().publicKey
    #expect(link.answered(.success(.publicKey(key))) == "https://a.example/cb?x=1&ok=1&pubkey=\(key.hex)&nonce=a%20b")
  }

  @Test("A refusal says why, in a stable word") func refusals() throws {
    let link = try Self.link(Self.sign()).get()
    #expect(
      link.answered(.failure(LinkFault(.denied, "The owner denied it.")))
        == "https://a.example/cb?x=1&ok=0&code=denied&msg=The%20owner%20denied%20it.")
  }

  @Test(
    "A fault behind a good callback is the answer",
    arguments: [
      (Self.sign(#"{"kind":1}"#), AnswerCode.invalid), (Self.sign("[]"), .invalid),
      (Self.sign(#"{"kind":1,"content":"","id":"x"}"#), .invalid),
      (Self.sign(Self.event, "&origin=https://b.example"), .invalid), (Self.sign(Self.event, "&origin=b.example"), .invalid),
      ("keyfob://sign?cb=\(Self.callback)", .invalid), ("keyfob://sign?payload=%%&cb=\(Self.callback)", .invalid),
      ("keyfob://sign?payload=ab+/&cb=\(Self.callback)", .invalid), ("keyfob://wipe?cb=\(Self.callback)", .unsupported),
      (Self.sign(#"{"kind":1,"content":"\#(String(repeating: "x", count: 17_000))"}"#), .tooLarge),
      (Self.sign(Self.event, "&nonce=\(String(repeating: "x", count: 300))"), .invalid),
    ])
  func faultsAreAnswered(text: String, code: AnswerCode) throws {
    guard case .failure(let fault) = try Self.link(text).get().request else {
      Issue.record("taken: \(text)")
      return
    }
    #expect(fault.code == code)
  }

  @Test(
    "The origin that a link names must be that of its callback",
    arguments: ["https://a.example", "a.example", "https://A.example/"])
  func ownOrigins(origin: String) throws {
    #expect(throws: Never.self) { try Self.link(Self.sign(Self.event, "&origin=\(origin)")).get().request.get() }
  }

  @Test(
    "Without a good callback there is no answer",
    arguments: [
      "", "keyfob://sign", "keyfob:sign?cb=x", "keyfob://pubkey?cb=", "keyfob://pubkey?cb=javascript:alert(1)",
      "keyfob://pubkey?cb=\(Self.callback)&cb=https://b.example", "other://pubkey?cb=\(Self.callback)", "keyfob://pubkey?cb=%ff",
      "nostrsigner:?type=get_public_key", "keyfob://pubkey?cb=https://a.example/\u{202E}",
      "keyfob://pubkey?cb=\(Self.callback)&\(String(repeating: "a=&", count: 40))",
      "keyfob://pubkey?cb=\(Self.callback)&x=\(String(repeating: "x", count: 70_000))",
    ])
  func nowhereToAnswer(text: String) {
    guard case .success(let link) = Self.link(text) else { return }
    Issue.record("taken: \(link)")
  }

  @Test("The web form of NIP-55 gets the bare result behind its callback") func nostrSigner() throws {
    let key = try KeyPair.random()
    let event = try EventTemplate(kind: 1, content: "x").unsigned(by: key.publicKey, now: 9).signed(by: key)
    let form =
      "nostrsigner:%7B%22kind%22%3A1%2C%22content%22%3A%22x%22%7D?type=sign_event&compressionType=none&callbackUrl=https://a.example/%3Fe%3D"
    let link = try Self.link(form + "&returnType=signature").get()
    #expect(link.request == .success(.sign(EventTemplate(kind: 1, content: "x"))))
    #expect(link.answered(.success(.event(event))) == "https://a.example/?e=\(event.signature.hex)")
    let whole = try #require(try Self.link(form + "&returnType=event").get().answered(.success(.event(event))))
    #expect(whole.hasPrefix("https://a.example/?e=%7B%22") && !whole.contains("\""))
    #expect(link.answered(.failure(LinkFault(.denied, "x"))) == nil)
    let peer = key.publicKey.hex
    #expect(
      try Self.link("nostrsigner:hi%20there?type=nip44_encrypt&pubkey=\(peer)&callbackUrl=myapp:").get().request
        == .success(.encrypt("hi there", to: key.publicKey, .nip44)))
    #expect(
      try Self.link("nostrsigner:x?type=sign_event&compressionType=zip&callbackUrl=https://a.example/").get().request
        == .failure(.compression))
    let gzip = try Self.link(form.replacing("=none", with: "=gzip") + "&returnType=event").get()
    #expect(gzip.answered(.success(.event(event)))?.hasPrefix("https://a.example/?e=Signer1H4sI") == true)
  }

  @Test(
    "What is put behind a callback cannot become part of its host or port",
    arguments: ["https://a.example", "https://a.example:80", "http://127.0.0.1", "http://[::1]:8", "HTTPS://a.example"])
  func nothingIsAppendedToAHost(callback: String) {
    let link = "nostrsigner:x?type=nip44_decrypt&callbackUrl=\(callback)"
    #expect(throws: LinkFault.nowhereToAppend) { try Self.link(link).get() }
    for end in ["/", "?e=", "%23"] { #expect(throws: Never.self) { try Self.link(link + end).get() } }
  }

  @Test("A host app answers links with its own signer") func bridge() async throws {
    let key = try KeyPair.random()
    let bridge = BridgeHandler(appSchemes: ["myapp"]) { (request, callback) async throws(LinkFault) in
      guard callback.place == "https://a.example" else { throw LinkFault(.denied, "no") }
      return .publicKey(key.publicKey)
    }
    #expect(
      try await bridge.handleURL("keyfob://pubkey?cb=https://a.example/") == "https://a.example/?ok=1&pubkey=\(key.publicKey.hex)"
    )
    #expect(try await bridge.handleURL("keyfob://pubkey?cb=myapp:") == "myapp:?ok=0&code=denied&msg=no")
    let universal = try await bridge.handleUniversalLink("https://h.example/app/pubkey?cb=https://a.example/")
    #expect(universal.hasPrefix("https://a.example/?ok=1"))
    await #expect(throws: LinkFault.self) { try await bridge.handleURL("https://h.example/app/pubkey?cb=https://a.example/") }
    await #expect(throws: LinkFault.self) { try await bridge.handleUniversalLink("keyfob://pubkey?cb=https://a.example/") }
    await #expect(throws: LinkFault.self) { try await bridge.handleURL("nostrsigner:?type=get_public_key&callbackUrl=myapp:") }
  }
}
