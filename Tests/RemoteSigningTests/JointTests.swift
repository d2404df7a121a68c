import Curve
import Encodings
import JSON
import Nostr
import SecretMemory
import Testing

@testable import RemoteSigning

@Suite("Identities whose key is that of a group") struct JointTests {
  private let scene: Scene
  private let app: App
  private let peer: KeyPair

  init() throws {
    scene = try Scene(trust: .full)
    app = try scene.pairedApp()
    peer = try KeyPair.random()
    scene.engine.setIdentities([])
    scene.engine.setKeeping([scene.identity.publicKey: .inGroup])
  }

  private func exchange(_ method: String, _ parameters: [String]) throws -> Exchange {
    let request = try app.request(method, parameters.map { .string($0) }, now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(request, now: scene.now) else { throw Scene.SceneError.notPaired }
    return exchange
  }

  private func said(_ outcome: Outcome) throws -> Scene.Seen { try app.read(try #require(outcome.replies.last).event) }

  private func sharedX() throws -> JointResult { .sharedX(SecretBox(try scene.identity.sharedX(with: peer.publicKey))) }

  @Test("An event is signed by the group, and nothing is prepared before it is recorded") func signs() throws {
    let exchange = try exchange("sign_event", [template(content: "ours")])
    #expect(scene.engine.prepare(exchange, now: scene.now) == nil)
    let task = try #require(scene.engine.jointTask(of: exchange, now: scene.now))
    guard case .sign(let event) = task else { throw Scene.SceneError.notPaired }
    #expect(event.pubkey == scene.identity.publicKey && event.content == "ours")
    let outcome = scene.engine.finish(exchange, task, with: .signed(try event.signed(by: scene.identity)), now: scene.now + 5)
    #expect(outcome.signedEvent == event.id() && !outcome.failed)
    guard case .result(let json) = try said(outcome) else { throw Scene.SceneError.notPaired }
    #expect(try Event(parsing: Array(json.utf8)).hasValidSignature)
  }

  @Test("Another event than the one that was decided is not given out") func otherEvent() throws {
    let exchange = try exchange("sign_event", [template(content: "ours")])
    let task = try #require(scene.engine.jointTask(of: exchange, now: scene.now))
    let other = UnsignedEvent(pubkey: scene.identity.publicKey, createdAt: 1, kind: 1, content: "other")
    let outcome = scene.engine.finish(exchange, task, with: .signed(try other.signed(by: scene.identity)), now: scene.now)
    #expect(outcome.failed && outcome.signedEvent == nil)
    #expect(try said(outcome) == .error(ReplyText.failed))
  }

  @Test("Texts are encrypted and decrypted with the secret that the group computes", arguments: ["nip44", "nip04"])
  func messages(cipher: String) throws {
    let encrypt = try exchange("\(cipher)_encrypt", [peer.publicKey.hex, "for you"])
    let task = try #require(scene.engine.jointTask(of: encrypt, now: scene.now))
    guard case .sharedSecret(peer.publicKey) = task else { throw Scene.SceneError.notPaired }
    guard case .result(let payload) = try said(scene.engine.finish(encrypt, task, with: sharedX(), now: scene.now)) else {
      throw Scene.SceneError.notPaired
    }
    let decrypt = try exchange("\(cipher)_decrypt", [peer.publicKey.hex, payload])
    let again = try #require(scene.engine.jointTask(of: decrypt, now: scene.now))
    #expect(try said(scene.engine.finish(decrypt, again, with: sharedX(), now: scene.now)) == .result("for you"))
    #expect(try said(scene.engine.finish(decrypt, again, with: .missing, now: scene.now)) == .error(ReplyText.membersMissing))
  }

  @Test("What needs no key, and what cannot be done, troubles no member") func nothingToDo() throws {
    #expect(try scene.ask(app, "get_public_key") == .result(scene.identity.publicKey.hex))
    let empty = try exchange("nip44_encrypt", [peer.publicKey.hex, ""])
    #expect(scene.engine.jointTask(of: empty, now: scene.now) == nil)
    #expect(try said(scene.engine.perform(empty, now: scene.now)) == .error(ReplyText.emptyText))
    let note = try exchange("sign_event", [template()])
    #expect(try said(scene.engine.perform(note, now: scene.now)) == .error(ReplyText.membersMissing), "without a group")
  }

  @Test("A request that was decided before a lock waits for the unlock, and is done once") func locked() throws {
    let before = try exchange("sign_event", [template(content: "one")])
    let during = try exchange("sign_event", [template(content: "two")])
    let task = try #require(scene.engine.jointTask(of: during, now: scene.now))
    scene.engine.lock()
    #expect(scene.engine.jointTask(of: before, now: scene.now) == nil)
    #expect(scene.engine.perform(before, now: scene.now).postponed != nil)
    guard case .sign(let event) = task else { throw Scene.SceneError.notPaired }
    let outcome = scene.engine.finish(during, task, with: .signed(try event.signed(by: scene.identity)), now: scene.now)
    #expect(outcome.postponed != nil && outcome.replies.isEmpty && outcome.signedEvent == nil)
    scene.engine.unlock(with: [])
    let waiting = scene.engine.reconsider(now: scene.now)
    #expect(waiting.count == 2)
    for case .decided(_, let exchange) in waiting { #expect(scene.engine.jointTask(of: exchange, now: scene.now) != nil) }
  }

  @Test("What the owner forbids while members do their part is not given out") func revoked() throws {
    let exchange = try exchange("sign_event", [template()])
    let task = try #require(scene.engine.jointTask(of: exchange, now: scene.now))
    guard case .sign(let event) = task else { throw Scene.SceneError.notPaired }
    _ = scene.engine.end(scene.signer.publicKey, now: scene.now)
    let outcome = scene.engine.finish(exchange, task, with: .signed(try event.signed(by: scene.identity)), now: scene.now)
    #expect(outcome.failed && outcome.signedEvent == nil)
  }
}
