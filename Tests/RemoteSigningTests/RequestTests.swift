import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing

@Suite struct RequestTests {
  @Test("Every paired app may use the harmless methods") func answersWhatEveryPairedAppMayAsk() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "ping") == .result("pong"))
    #expect(try scene.ask(app, "get_public_key") == .result(scene.identity.publicKey.hex))
    #expect(try scene.ask(app, "switch_relays") == .result("null"), "a JSON null would hang nostr-tools")
    #expect(try scene.ask(app, "get_relays") == .result(#"{"ws://127.0.0.1:24133/relay":{"read":true,"write":true}}"#))
    guard case .result(let names) = try scene.ask(app, "describe") else { Issue.record("no names"); return }
    #expect(try JSONValue(parsing: Array(names.utf8)).array?.contains("sign_event") == true)
  }

  @Test("A signed event is valid and keeps what the app asked for") func signsAnEventThatVerifies() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    guard case .result(let json) = try scene.ask(app, "sign_event", [template()]) else { Issue.record("no event"); return }
    let event = try Event(parsing: Array(json.utf8))
    try event.verify()
    #expect(event.pubkey == scene.identity.publicKey)
    #expect(event.createdAt == 1_749_999_990)
    #expect(event.content == "hello")
  }

  /// Templates as real apps send them.
  @Test("Drafts in the forms that real apps send are signed") func toleratesWhatAppsPutIntoTemplates() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let user = JSONValue.string(scene.identity.publicKey.hex)
    let texts = [
      template(extra: [.init("pubkey", user)]),
      template(extra: [.init("pubkey", .string(scene.signer.publicKey.hex))]),
      template(extra: [.init("pubkey", .string(app.key.publicKey.hex))]),
      template(extra: [.init("id", ""), .init("sig", "")]),
      #"{"kind":1,"content":"no time","tags":[]}"#,
    ]
    for text in texts {
      guard case .result(let json) = try scene.ask(app, "sign_event", [text]) else { Issue.record("refused"); continue }
      let event = try Event(parsing: Array(json.utf8))
      try event.verify()
      #expect(event.pubkey == scene.identity.publicKey)
    }
    // An object where the standard wants a string.
    let object = try JSONValue(parsing: Array(template().utf8))
    guard case .result = try scene.ask(app, "sign_event", [object]) else { Issue.record("refused an object"); return }
  }

  @Test("A draft for another key is refused, and the error names both keys") func namesBothKeysWhenAnEventIsForAnother() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let other = try KeyPair.random().publicKey
    guard case .error(let text) = try scene.ask(app, "sign_event", [template(extra: [.init("pubkey", .string(other.hex))])])
    else { Issue.record("signed for another"); return }
    #expect(text.contains(other.hex) && text.contains(scene.identity.publicKey.hex))
  }

  @Test(
    "A malformed draft gets an error",
    arguments: [
      "", "null", "[]", "{}", #"{"content":"no kind","tags":[]}"#, #"{"kind":-1,"content":"","tags":[]}"#,
      #"{"kind":65536,"content":"","tags":[]}"#, #"{"kind":1.5,"content":"","tags":[]}"#,
      #"{"kind":1,"content":"\ud800","tags":[]}"#,
      #"{"kind":1,"kind":2,"content":"","tags":[]}"#, #"{"kind":1,"content":"","tags":[[1]]}"#,
      #"{"kind":1,"content":"","tags":[],"created_at":-5}"#, #"{"kind":1,"content":"","tags":[],"created_at":1e9}"#,
    ])
  func refusesMalformedTemplatesWithAnError(text: String) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    guard case .error = try scene.ask(app, "sign_event", [text]) else { Issue.record("no error for \(text)"); return }
  }

  @Test("Texts are encrypted and decrypted in both directions", arguments: ["nip44", "nip04"])
  func encryptsAndDecryptsBothWays(cipher: String) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let peer = try KeyPair.random()
    guard case .result(let sealed) = try scene.ask(app, "\(cipher)_encrypt", [peer.publicKey.hex, "für dich 🔑"]) else {
      Issue.record("not encrypted")
      return
    }
    let opened =
      cipher == "nip44"
      ? try NIP44.decrypt(Array(sealed.utf8), with: ConversationKey(peer, scene.identity.publicKey))
      : try Insecure.NIP04.decrypt(Array(sealed.utf8), key: peer, peer: scene.identity.publicKey)
    #expect(String(decoding: opened, as: UTF8.self) == "für dich 🔑")
    #expect(try scene.ask(app, "\(cipher)_decrypt", [peer.publicKey.hex, sealed]) == .result("für dich 🔑"))
    // To oneself, as notes and bookmarks are.
    let own = scene.identity.publicKey.hex
    guard case .result(let kept) = try scene.ask(app, "\(cipher)_encrypt", [own, "note"]) else {
      Issue.record("not to oneself"); return
    }
    let peers = Permission(cipher == "nip44" ? .nip44Decrypt : .nip04Decrypt, scope: .counterparty(scene.identity.publicKey))
    var grant = Grant(trust: .medium)
    try grant.set(.allow, peers, for: .day, of: scene.identity.publicKey, at: scene.now)
    #expect(scene.engine.update(scene.signer.publicKey, name: "app", grant: grant))
    #expect(try scene.ask(app, "\(cipher)_decrypt", [own, kept]) == .result("note"))
  }

  @Test("Texts up to one mebibyte are encrypted and decrypted", arguments: [1, 65_535, 65_536, 65_537, 1 << 20])
  func carriesTextsOfEverySize(length: Int) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let peer = try KeyPair.random().publicKey.hex
    let text = String(repeating: "x", count: length)
    guard case .result(let sealed) = try scene.ask(app, "nip44_encrypt", [peer, text]) else {
      Issue.record("not encrypted"); return
    }
    #expect(try scene.ask(app, "nip44_decrypt", [peer, sealed]) == .result(text))
  }

  @Test("An empty text gets an error, never an empty result") func neverAnswersWithAnEmptyResult() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let peer = try KeyPair.random()
    let empty = try Insecure.NIP04.encrypt([], key: peer, peer: scene.identity.publicKey)
    guard case .error = try scene.ask(app, "nip04_decrypt", [peer.publicKey.hex, String(decoding: empty, as: UTF8.self)])
    else { Issue.record("an empty success hangs nostr-tools"); return }
    guard case .error = try scene.ask(app, "nip44_encrypt", [peer.publicKey.hex, ""]) else { Issue.record("no error"); return }
  }

  @Test(
    "Missing and wrong parameters get an error",
    arguments: ["sign_event", "nip04_encrypt", "nip04_decrypt", "nip44_encrypt", "nip44_decrypt"])
  func refusesMissingAndWrongParametersWithAnError(method: String) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let off = String(repeating: "f", count: 64)
    let lists: [[JSONValue]] = [
      [], [.null], [1, 2], [["a"], .object([])], [.string(off), "text"], ["not hex", "text"],
      [.string(String(repeating: "é", count: 64)), "x"],
    ]
    for parameters in lists {
      guard case .error = try scene.ask(app, method, parameters) else { Issue.record("\(method) took \(parameters)"); continue }
    }
  }

  @Test("Extra parameters are ignored") func extraParametersDoNoHarm() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "ping", ["a", "b", "c"]) == .result("pong"))
    guard case .result = try scene.ask(app, "sign_event", [template(), "extra", "more"]) else { Issue.record("refused"); return }
  }

  @Test(
    "An unknown method gets a short error",
    arguments: ["nip44v3_encrypt", "create_account", "delegate", "", "\u{1b}[2J", String(repeating: "x", count: 5000)])
  func answersUnknownMethodsOfAPairedAppWithAnError(method: String) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    guard case .error(let text) = try scene.ask(app, method) else { Issue.record("no error"); return }
    #expect(text.hasPrefix("unsupported method"))
    #expect(text.utf8.count < 80)
  }

  @Test(
    "The answer repeats the request's id as it was written",
    arguments: [JSONValue.string("a\"b\\c\u{1}é"), .integer(42), .integer(-7), .number("1.5e3"), .string("")])
  func echoesTheIDAsWritten(id: JSONValue) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("ping", [], id: id, now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now) else { Issue.record("dropped"); return }
    let reply = try #require(scene.engine.perform(exchange, now: scene.now).replies.first)
    #expect(try JSONValue(parsing: app.open(reply.event))["id"] == id)
  }

  @Test("A request in the old encryption is answered in the same") func answersOldEnvelopesInKind() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    #expect(try scene.ask(app, "connect", ["", .string(scene.link.secret)], envelope: .nip04) == .result("ack"))
    let event = try app.request("ping", [], now: scene.now, envelope: .nip04)
    guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now) else { Issue.record("dropped"); return }
    let reply = try #require(scene.engine.perform(exchange, now: scene.now).replies.first)
    #expect(Insecure.NIP04.isPayload(reply.event.content.utf8))
    #expect(try scene.ask(app, "ping", [], envelope: .nip44) == .result("pong"))
  }

  @Test("An app that logged out needs a new link", arguments: ["logout", "disconnect"])
  func aLoggedOutAppIsForgotten(method: String) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, method) == .result("ack"))
    #expect(try scene.ask(app, "ping") == UnansweredTests.ended)
    try scene.openAnotherLink()
    let again = try App(signer: scene.signer.publicKey, key: app.key)
    #expect(try scene.ask(again, "connect", ["", scene.link.secret]) == .result("ack"))
  }

  @Test("An app is told that the signer is locked") func aLockedSignerSaysSo() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    scene.engine.setIdentities([])
    #expect(try scene.ask(app, "sign_event", [template()]) == .error("the signer is locked"))
    #expect(try scene.ask(app, "ping") == .result("pong"))
  }

  @Test("A request that could not be recorded gets an error") func nothingIsDoneThatCouldNotBeRecorded() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = try app.request("sign_event", [.string(template())], now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now) else { Issue.record("dropped"); return }
    let reply = try #require(scene.engine.refuseUnrecorded(exchange, now: scene.now).replies.first)
    guard case .error = try app.read(reply.event) else { Issue.record("not an error"); return }
  }
}
