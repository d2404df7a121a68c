import Curve
import Encodings
import JSON
import Nostr
import Threshold

/// The form on the wire: a JSON object with `v`, `group`, `request`, `type` and what the type needs. Members that are not known are ignored.
extension CosignMessage {
  /// The longest message, in bytes: as much as a gift wrap that is opened can contain.
  public static let longest = 72 << 10

  /// The message as JSON.
  public func json() -> [UInt8] {
    JSONValue.object(
      [
        .init("v", .integer(Self.version)), .init("group", .string(group.hex)), .init("request", .string(request.hex)),
        .init("type", .string(type)),
      ] + details
    ).serialized()
  }

  private var type: String {
    switch content {
    case .ask: "ask"
    case .commit: "commit"
    case .decline: "decline"
    case .sign: "sign"
    case .part: "part"
    }
  }

  private var details: [JSONValue.Member] {
    switch content {
    case .ask(.sign(let event), let expires): [.init("event", Self.json(event)), .init("expires", .integer(expires))]
    case .ask(.sharedSecret(let peer), let expires): [.init("peer", .string(peer.hex)), .init("expires", .integer(expires))]
    case .commit(let nonce): [.init("nonce", Self.hex(nonce))]
    case .decline(let reason): [.init("reason", .string(reason.rawValue))]
    case .sign(let signers):
      [
        .init(
          "signers",
          .array(signers.map { .object([.init("member", .integer(Int64($0.number))), .init("nonce", Self.hex($0.nonce))]) }))
      ]
    case .part(let part, let nonce, let next):
      [.init("part", .string(Hex.encode(part.bytes))), .init("nonce", Self.hex(nonce)), .init("next", Self.hex(next))]
    }
  }

  private static func hex(_ nonce: PublicNonce) -> JSONValue { .string(Hex.encode(nonce.bytes)) }

  private static func json(_ event: UnsignedEvent) -> JSONValue {
    .object([
      .init("pubkey", .string(event.pubkey.hex)), .init("created_at", .integer(event.createdAt)),
      .init("kind", .integer(Int64(event.kind))), .init("tags", .array(event.tags.map { .array($0.map { .string($0) }) })),
      .init("content", .string(event.content)),
    ])
  }
}

extension CosignMessage {
  /// - Parameter text: from another member, which may lie.
  /// - Throws: `.malformed`, with the name of what is wrong.
  public init(parsing text: [UInt8]) throws(CosignError) {
    let json = try JSONValue.message(text, version: Self.version)
    let group = try json.bytes32("group")
    let request = try json.bytes32("request")
    self.init(group: group, request: request, try Self.content(json))
  }

  private static func content(_ json: JSONValue) throws(CosignError) -> Content {
    switch json["type"]?.string {
    case "ask": return try ask(json)
    case "commit": return .commit(try nonce(json, "nonce"))
    case "decline":
      guard let reason = json["reason"]?.string.flatMap(Reason.init) else { throw .malformed(wrong: "reason") }
      return .decline(reason)
    case "sign": return .sign(try signers(json))
    case "part": return .part(try part(json), nonce: try nonce(json, "nonce"), next: try nonce(json, "next"))
    default: throw .malformed(wrong: "type")
    }
  }

  private static func part(_ json: JSONValue) throws(CosignError) -> CosignPart {
    guard let part = json["part"]?.string.flatMap({ Hex.decode($0) }).flatMap(CosignPart.init) else {
      throw .malformed(wrong: "part")
    }
    return part
  }

  private static func ask(_ json: JSONValue) throws(CosignError) -> Content {
    guard let expires = json["expires"]?.integer else { throw .malformed(wrong: "expires") }
    guard json["peer"] == nil || json["event"] == nil else { throw .malformed(wrong: "peer") }
    return .ask(json["peer"] == nil ? try signing(json) : .sharedSecret(PublicKey(try json.bytes32("peer"))), expires: expires)
  }

  private static func signing(_ json: JSONValue) throws(CosignError) -> CosignTask {
    guard let event = json["event"], let template = try? EventTemplate(parsing: event.serialized()), let author = template.pubkey,
      let createdAt = template.createdAt
    else { throw .malformed(wrong: "event") }
    return .sign(template.unsigned(by: author, now: createdAt))
  }

  private static func signers(_ json: JSONValue) throws(CosignError) -> [Signer] {
    guard let list = json["signers"]?.array, list.count <= CosignGroup.mostMembers else { throw .malformed(wrong: "signers") }
    var signers: [Signer] = []
    for one in list {
      guard let number = one["member"]?.integer.flatMap(UInt32.init(exactly:)) else { throw .malformed(wrong: "member") }
      signers.append(Signer(number, try nonce(one, "nonce")))
    }
    return signers
  }

  private static func nonce(_ json: JSONValue, _ name: String) throws(CosignError) -> PublicNonce {
    guard let text = json[name]?.string, let bytes = Hex.decode(text.utf8), let nonce = PublicNonce(bytes) else {
      throw .malformed(wrong: name)
    }
    return nonce
  }
}
