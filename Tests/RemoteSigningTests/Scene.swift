import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning

/// An engine with one identity and one open link, and apps that send it requests.
final class Scene {
  static let start: Int64 = 1_750_000_000

  let engine = SigningEngine()
  let identity: KeyPair
  var link: OpenLink
  var signer: KeyPair
  var now = Scene.start

  init(trust: TrustLevel = .medium, lifetime: Int64 = OpenLink.defaultLifetime) throws {
    identity = try KeyPair.random()
    engine.setIdentities([identity])
    signer = try KeyPair.random()
    link = Scene.link(signer, identity, trust, lifetime)
    engine.open(link, signer: signer, now: now)
  }

  /// A second link, for pairing again.
  func openAnotherLink(trust: TrustLevel = .medium) throws {
    signer = try KeyPair.random()
    link = Scene.link(signer, identity, trust, OpenLink.defaultLifetime)
    engine.open(link, signer: signer, now: now)
  }

  private static func link(_ signer: KeyPair, _ identity: KeyPair, _ trust: TrustLevel, _ lifetime: Int64) -> OpenLink {
    OpenLink(
      remoteSigner: signer.publicKey, secret: "open-Sesame_1", identity: identity.publicKey, trust: trust,
      relays: [RelayURL("ws://127.0.0.1:24133/relay")!], madeAt: start, expiresAt: start + lifetime)
  }

  /// An app that has paired by the scene's link.
  func pairedApp() throws -> App {
    let app = try App(signer: signer.publicKey)
    let reply = try ask(app, "connect", [signer.publicKey.hex, link.secret])
    guard reply == .result("ack") else { throw SceneError.notPaired }
    return app
  }

  enum SceneError: Error { case notPaired }

  /// What an app sees: a result, an error, or nothing and why.
  enum Seen: Equatable { case result(String), error(String), waiting, nothing(DropReason) }

  /// Sends one request and carries the exchange out as the daemon would, with a store that never fails.
  func ask(_ app: App, _ method: String, _ parameters: [JSONValue], envelope: EnvelopeCipher = .nip44) throws -> Seen {
    try deliver(try app.request(method, parameters, now: now, envelope: envelope), to: app)
  }

  func ask(_ app: App, _ method: String, _ parameters: [String] = []) throws -> Seen {
    try ask(app, method, parameters.map { .string($0) })
  }

  func deliver(_ event: Event, to app: App) throws -> Seen {
    switch engine.receive(event, now: now) {
    case .dropped(let reason): return .nothing(reason)
    case .refused(let refusal):
      guard let reply = refusal.reply else { return .nothing(refusal.reason) }
      return try app.read(reply.event)
    case .held: return .waiting
    case .decided(let exchange): return try carryOut(exchange, app)
    }
  }

  func carryOut(_ exchange: Exchange, _ app: App) throws -> Seen {
    if case .pair(let offer) = exchange.action { _ = engine.confirm(offer) }
    let outcome = engine.perform(exchange, now: now)
    if case .leave = exchange.action { _ = engine.end(exchange.channel.signer.publicKey, now: now) }
    guard let reply = outcome.replies.last else { return .waiting }
    return try app.read(reply.event)
  }
}

/// An app's side, made by hand so that it can also say what no honest app would.
final class App {
  let key: KeyPair
  let signer: PublicKey
  var nextID = 0

  init(signer: PublicKey, key: KeyPair? = nil) throws { (self.signer, self.key) = (signer, try key ?? KeyPair.random()) }

  func request(
    _ method: String, _ parameters: [JSONValue], id: JSONValue? = nil, now: Int64, envelope: EnvelopeCipher = .nip44
  ) throws -> Event {
    nextID += 1
    let body = JSONValue.object([
      .init("id", id ?? .string("r\(nextID)")), .init("method", .string(method)), .init("params", .array(parameters)),
    ])
    return try envelopeEvent(body.serialized(), now: now, envelope: envelope)
  }

  func envelopeEvent(
    _ plaintext: [UInt8], now: Int64, envelope: EnvelopeCipher = .nip44, tags: [[String]]? = nil, kind: Int = 24133
  ) throws -> Event {
    let content =
      switch envelope {
      case .nip44: try NIP44.encrypt(plaintext, with: ConversationKey(key, signer))
      case .nip04: try Insecure.NIP04.encrypt(plaintext, key: key, peer: signer)
      }
    return try UnsignedEvent(
      pubkey: key.publicKey, createdAt: now, kind: kind, tags: tags ?? [["p", signer.hex]],
      content: String(decoding: content, as: UTF8.self)
    ).signed(by: key)
  }

  /// The same event under a signature that does not hold.
  static func forged(_ event: Event) -> Event {
    Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: Bytes32(), s: Bytes32()))
  }

  /// The plaintext of an answer, after checking all that a careful app checks.
  func open(_ event: Event) throws -> [UInt8] {
    guard event.kind == 24133, event.pubkey == signer, event.hasCorrectID, event.hasValidSignature,
      event.tags == [["p", key.publicKey.hex]]
    else { throw Scene.SceneError.notPaired }
    let content = Array(event.content.utf8)
    return Insecure.NIP04.isPayload(content)
      ? try Insecure.NIP04.decrypt(content, key: key, peer: signer)
      : try NIP44.decrypt(content, with: ConversationKey(key, signer), limit: 8 << 20)
  }

  func read(_ event: Event) throws -> Scene.Seen {
    let response = try JSONValue(parsing: try open(event))
    if let error = response["error"] {
      // What rust-nostr and nostr-tools can both read: a null result beside a text.
      guard let text = error.string, response["result"]?.isNull == true else { throw Scene.SceneError.notPaired }
      return .error(text)
    }
    guard let result = response["result"]?.string else { throw Scene.SceneError.notPaired }
    return .result(result)
  }
}

/// An event as apps send it for signing.
func template(kind: Int = 1, content: String = "hello", extra: [JSONValue.Member] = []) -> String {
  let value = JSONValue.object(
    [
      .init("kind", .integer(Int64(kind))), .init("content", .string(content)), .init("tags", .array([])),
      .init("created_at", .integer(1_749_999_990)),
    ] + extra)
  return String(decoding: value.serialized(), as: UTF8.self)
}
