import Curve
import Encodings
import Nostr
import RemoteSigning
import Testing

/// An app's own side of the protocol: whose answers it takes.
@Suite struct RemoteSignerTests {
  private let signer: KeyPair
  private let client: KeyPair
  private let now: Int64 = 1_750_000_000

  init() throws { (signer, client) = (try KeyPair.random(), try KeyPair.random()) }

  private func session() -> RemoteSigner {
    RemoteSigner(
      link: BunkerURI(remoteSigner: signer.publicKey, relays: [RelayURL("ws://127.0.0.1:24133/relay")!], secret: nil),
      client: client)
  }

  private func answer(to id: String, by key: KeyPair, _ result: String = "pong") throws -> Event {
    let text = Array(#"{"id":"\#(id)","result":"\#(result)"}"#.utf8)
    let content = String(decoding: try NIP44.encrypt(text, with: ConversationKey(key, client.publicKey)), as: UTF8.self)
    return try UnsignedEvent(
      pubkey: key.publicKey, createdAt: now, kind: NIP46.kind, tags: [["p", client.publicKey.hex]], content: content
    ).signed(by: key)
  }

  @Test("An answer from anyone but the signer is ignored") func anAnswerOfAnotherIsNone() throws {
    var app = session()
    let id = try app.request(.ping, now: now).id
    #expect(app.receive(try answer(to: id, by: .random(), "forged"), now: now) == nil)
    #expect(app.receive(try answer(to: id, by: signer), now: now) == .result(id: id, "pong"))
  }

  @Test("An altered answer is ignored") func aChangedAnswerIsNone() throws {
    var app = session()
    let id = try app.request(.ping, now: now).id
    let right = try answer(to: id, by: signer)
    let old = try answer(to: id, by: signer, "earlier")
    for (from, content, signature) in [
      (right.id, old.content, right.signature), (Bytes32.fresh(), right.content, right.signature),
      (right.id, right.content, Signature(r: right.signature.r, s: .fresh())),
    ] {
      let changed = Event(
        id: from, pubkey: right.pubkey, createdAt: right.createdAt, kind: right.kind, tags: right.tags, content: content,
        signature: signature)
      #expect(app.receive(changed, now: now) == nil)
    }
    #expect(app.receive(right, now: now) == .result(id: id, "pong"))
    #expect(app.receive(right, now: now) == nil, "taken once")
  }
}
