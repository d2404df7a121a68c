import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning

/// Makes requests as apps make them, and as no honest app would.
enum RequestMaker {
  static let kinds = [0, 1, 3, 4, 5, 7, 1059, 7375, 10002, 17375, 24133, 30078]

  /// The plaintext of a request.
  static func body(_ feed: inout ByteFeed, signer: Int, now: Int64) -> [UInt8] {
    let choice = feed.index(below: 20)
    guard choice < 18 else { return feed.shortBytes() }
    let methods = Method.allCases
    let method = choice < methods.count ? methods[choice] : [.signEvent, .nip44Decrypt][choice % 2]
    return request(&feed, method.rawValue, parameters(of: method, &feed, now: now))
  }

  static func connect(_ feed: inout ByteFeed, signer: Int, secret: String) -> [UInt8] {
    var parameters: [JSONValue] = [.string(Cast.signers[signer].publicKey.hex), .string(secret)]
    if feed.bool() { parameters.append(.string("sign_event:1,nip44_encrypt")) }
    if feed.bool() { parameters.append(.string(text(&feed))) }
    return request(&feed, "connect", parameters)
  }

  private static func request(_ feed: inout ByteFeed, _ method: String, _ parameters: [JSONValue]) -> [UInt8] {
    let id: JSONValue =
      switch feed.byte() {
      case 0: .null
      case 1: .integer(feed.int64())
      case 2: .string(text(&feed))
      case let byte: .string("id\(byte)")
      }
    return JSONValue.object([.init("id", id), .init("method", .string(method)), .init("params", .array(parameters))]).serialized()
  }

  private static func parameters(of method: Method, _ feed: inout ByteFeed, now: Int64) -> [JSONValue] {
    switch method {
    case .signEvent: [feed.byte() == 0xff ? .string(text(&feed)) : .string(template(&feed, now: now))]
    case .nip44Encrypt, .nip04Encrypt: [.string(peer(&feed)), .string(text(&feed))]
    case .nip44Decrypt, .nip04Decrypt: [.string(peer(&feed)), .string(payload(&feed, method))]
    default: (0..<feed.index(below: 3)).map { _ in .string(text(&feed)) }
    }
  }

  private static func template(_ feed: inout ByteFeed, now: Int64) -> String {
    let kind = kinds[feed.index(below: kinds.count)]
    var members: [JSONValue.Member] = [.init("kind", .integer(Int64(kind))), .init("content", .string(text(&feed)))]
    if feed.bool() { members.append(.init("created_at", .integer(now))) }
    if feed.bool() { members.append(.init("tags", [["t", .string(text(&feed))], []])) }
    switch feed.index(below: 5) {
    case 1: members.append(.init("pubkey", .string(Cast.identities[0].publicKey.hex)))
    case 2: members.append(.init("pubkey", .string(Cast.identities[1].publicKey.hex)))
    default: break
    }
    return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
  }

  private static func peer(_ feed: inout ByteFeed) -> String {
    feed.byte() == 0xff ? text(&feed) : Cast.apps[feed.index(below: 4)].publicKey.hex
  }

  private static func payload(_ feed: inout ByteFeed, _ method: Method) -> String {
    guard feed.bool() else { return text(&feed) }
    let (own, peer) = (Cast.identities[feed.index(below: 2)], Cast.apps[feed.index(below: 4)])
    let plaintext = feed.shortBytes()
    let payload =
      method == .nip04Decrypt
      ? try? Insecure.NIP04.encrypt(plaintext, key: peer, peer: own.publicKey)
      : try? NIP44.encrypt(plaintext, with: ConversationKey(peer, own.publicKey))
    return String(decoding: payload ?? [], as: UTF8.self)
  }

  private static func text(_ feed: inout ByteFeed) -> String {
    String(decoding: feed.bytes(feed.index(below: 24)), as: UTF8.self)
  }

  // MARK: envelopes

  /// The request as an event with the right id, but without a signature: the engine is told that both were checked. Some ids are made
  /// to start alike, as an app can arrange with a little patience.
  static func event(_ body: [UInt8], from app: Int, to signer: Int, _ feed: inout ByteFeed, now: Int64) -> Event? {
    let flags = feed.byte()
    let payload =
      flags & 7 == 7
      ? try? Insecure.NIP04.encrypt(body, with: Cast.olderKey(app, signer))
      : try? NIP44.encrypt(body, with: Cast.conversation(app, signer))
    guard let payload else { return nil }  // an empty body
    let event = UnsignedEvent(
      pubkey: Cast.apps[app].publicKey, createdAt: time(&feed, now), kind: 24133,
      tags: [["p", Cast.signers[signer].publicKey.hex]], content: String(decoding: payload, as: UTF8.self))
    var id = event.id()
    if flags & 8 == 8 { id.withUnsafeMutableBytes { $0.storeBytes(of: 0xaaaa_aaaa, as: UInt32.self) } }
    return Event(
      id: id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: Bytes32(), s: Bytes32()))
  }

  /// An honest app's request, in a NIP-44 envelope.
  static func event(_ body: [UInt8], from app: Int, to signer: Int, now: Int64) -> Event? {
    var none = ByteFeed(UnsafeRawBufferPointer(start: nil, count: 0))
    return event(body, from: app, to: signer, &none, now: now)
  }

  private static func time(_ feed: inout ByteFeed, _ now: Int64) -> Int64 {
    switch feed.byte() {
    case 0xff: .max
    case 0xfe: 0
    case 0xfd: now - min(now, Int64(feed.int16().magnitude))
    case 0xfc: now + Int64(feed.int16().magnitude)
    default: now
    }
  }
}
