import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing

/// Messages to and from guardians are encrypted with an identity's key, which apps use, too.
@Suite struct SignerEnvelopeTests {
  private static let shut = Scene.Seen.error("this message is the signer's own, and not for apps")
  private static let spellings = [
    "4139", "4139.0", "4.139e3", "413900E-2", #""4139""#, #""\u0034139""#, "1,\"kind\":4139", "4139,\"kind\":1",
  ]

  private static func message(_ kind: String = "4139") -> String {
    #" {"tags":[["p","x"]],"content":"{\"v\":1,\"do\":\"give\",\"share\":\"words\"}","# + "\"kind\":\(kind)}"
  }

  private let friend: KeyPair
  init() throws { friend = try KeyPair.random() }

  /// What the friend encrypted for the scene's identity.
  private func encrypted(_ text: String, _ method: Method, _ scene: Scene) throws -> String {
    let bytes = Array(text.utf8)
    let peer = scene.identity.publicKey
    let payload =
      method == .nip04Decrypt
      ? try Insecure.NIP04.encrypt(bytes, key: friend, peer: peer)
      : try NIP44.encrypt(bytes, with: ConversationKey(friend, peer))
    return String(decoding: payload, as: UTF8.self)
  }

  /// An app that was allowed, for good, all that is asked here.
  private func scene(_ trust: TrustLevel, allowing permissions: [Permission]) throws -> (Scene, App) {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    var grant = Grant(trust: trust)
    for permission in permissions { try grant.allow(permission) }
    guard scene.engine.update(scene.signer.publicKey, name: "app", grant: grant) else { throw Scene.SceneError.notPaired }
    return (scene, app)
  }

  @Test(
    "No app can decrypt a guardian envelope, whatever it is allowed", arguments: TrustLevel.allCases,
    [Method.nip44Decrypt, .nip04Decrypt])
  func noAppReadsAnEnvelope(trust: TrustLevel, method: Method) throws {
    let allowed = [Permission(method), Permission(method, scope: .counterparty(friend.publicKey))]
    let (scene, app) = try scene(trust, allowing: allowed)
    for spelling in Self.spellings {
      let payload = try encrypted(Self.message(spelling), method, scene)
      #expect(try scene.ask(app, method.rawValue, [friend.publicKey.hex, payload]) == Self.shut, "\(spelling)")
    }
    for text in ["4139", "hello", #"{"kind":14,"content":"4139"}"#, #"[{"kind":4139}]"#, #"{"kind":41390}"#, "{"] {
      let payload = try encrypted(text, method, scene)
      #expect(try scene.ask(app, method.rawValue, [friend.publicKey.hex, payload]) == .result(text))
    }
  }

  @Test("Approving a decryption does not reveal a guardian envelope", arguments: [Method.nip44Decrypt, .nip04Decrypt])
  func approvalRevealsNoEnvelope(method: Method) throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    let payload = try encrypted(Self.message(), method, scene)
    #expect(try scene.ask(app, method.rawValue, [friend.publicKey.hex, payload]) == .waiting)
    let request = try #require(scene.engine.pendingRequests.first)
    let exchange = try #require(scene.engine.answerPending(request.name, approve: true, now: scene.now))
    let outcome = scene.engine.perform(exchange, now: scene.now)
    #expect(try app.read(try #require(outcome.replies.last).event) == Self.shut)
    #expect(outcome.failed && outcome.refusal == .signersEnvelope)
  }

  /// No rule lets one wait; but what an earlier version let wait is restored from the vault.
  @Test(
    "Approving a request of an earlier version does not write a guardian envelope", arguments: [Method.nip44Encrypt, .signEvent])
  func approvalWritesNoEnvelope(method: Method) throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    let parameters = method == .signEvent ? [template(kind: SignerEnvelope.kind)] : [friend.publicKey.hex, Self.message()]
    let id = Bytes32.fresh()
    scene.engine.restore(
      PendingRequest(
        name: String(id.hex.prefix(8)), remoteSigner: app.signer, client: app.key.publicKey, identity: scene.identity.publicKey,
        method: method, parameters: parameters.map { Array($0.utf8) }, kind: method == .signEvent ? SignerEnvelope.kind : nil,
        rule: .lowTrust, eventID: id, receivedAt: scene.now,
        replies: [ReplyAddress(requestID: Array("\"1\"".utf8), envelope: .nip44)]))
    let exchange = try #require(scene.engine.answerPending(String(id.hex.prefix(8)), approve: true, now: scene.now))
    let outcome = scene.engine.perform(exchange, now: scene.now)
    #expect(try app.read(try #require(outcome.replies.last).event) == Self.shut)
    #expect(outcome.signedEvent == nil && outcome.refusal == .signersEnvelope)
  }

  @Test("An app can open the gift wrap of a guardian envelope, but not its seal", arguments: [TrustLevel.medium, .full])
  func aWrapOpensAsFarAsItsSeal(trust: TrustLevel) throws {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    for kind in [SignerEnvelope.kind, 14] {
      let rumor = Rumor(
        UnsignedEvent(pubkey: friend.publicKey, createdAt: scene.now, kind: kind, tags: [], content: "words"))
      let wrap = try NIP59.wrap(
        rumor, by: friend, for: scene.identity.publicKey, times: .init(seal: scene.now, wrap: scene.now), wrapper: .random())
      guard case .result(let text) = try scene.ask(app, "nip44_decrypt", [wrap.pubkey.hex, wrap.content]) else {
        throw Scene.SceneError.notPaired
      }
      let seal = try Event(parsing: Array(text.utf8))
      let inside = try scene.ask(app, "nip44_decrypt", [seal.pubkey.hex, seal.content])
      #expect(inside == (kind == 14 ? .result(String(decoding: rumor.json(), as: UTF8.self)) : Self.shut))
    }
  }

  @Test(
    "No app can have a guardian envelope encrypted or signed", arguments: TrustLevel.allCases,
    [Method.nip44Encrypt, .nip04Encrypt])
  func noAppWritesALetter(trust: TrustLevel, method: Method) throws {
    let signing = Permission(.signEvent, kind: SignerEnvelope.kind)
    let allowed = [Permission(method), Permission(method, scope: .counterparty(friend.publicKey)), signing]
    let (scene, app) = try scene(trust, allowing: allowed)
    for spelling in Self.spellings {
      #expect(try scene.ask(app, method.rawValue, [friend.publicKey.hex, Self.message(spelling)]) == Self.shut, "\(spelling)")
    }
    #expect(try scene.ask(app, method.rawValue, [scene.identity.publicKey.hex, Self.message()]) == Self.shut)
    #expect(try scene.ask(app, "sign_event", [template(kind: SignerEnvelope.kind)]) == Self.shut)
    #expect(scene.engine.pendingRequests.isEmpty)
    guard case .result = try scene.ask(app, method.rawValue, [friend.publicKey.hex, #"{"kind":14}"#]) else {
      Issue.record("an ordinary message is encrypted")
      return
    }
  }
}
