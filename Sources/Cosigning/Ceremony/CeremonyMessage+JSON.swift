import Curve
import Encodings
import JSON
import SecretMemory
import Threshold

/// The form on the wire: a JSON object with `v`, `ceremony`, `type` and what the type needs. Members that are not known are ignored.
extension CeremonyMessage {
  /// The message as JSON. With a share in it, it is secret.
  public func json() -> [UInt8] {
    let head: [JSONValue.Member] = [.init("v", .integer(Self.version)), .init("ceremony", .string(ceremony.hex))]
    return JSONValue.object(head + details).serialized()
  }

  private var details: [JSONValue.Member] {
    switch content {
    case .join(let secret, let hostKey):
      Self.typed("join", [.init("secret", .string(secret.hex)), .init("host_key", Self.hex(hostKey))])
    case .plan(let plan): Self.typed("plan", Self.members(of: plan))
    case .agreed(let plan): Self.typed("agreed", [.init("plan", .string(plan.hex))])
    case .contribution(let bytes): Self.typed("contribution", [.init("bytes", Self.hex(bytes))])
    case .sum(let bytes): Self.typed("sum", [.init("bytes", Self.hex(bytes))])
    case .signature(let bytes): Self.typed("signature", [.init("bytes", Self.hex(bytes))])
    case .certificate(let bytes): Self.typed("certificate", [.init("bytes", Self.hex(bytes))])
    case .share(let share, let commitment):
      Self.typed(
        "share",
        [
          .init("member", .integer(Int64(share.identifier))), .init("share", share.withBytes { Self.hex(Array($0)) }),
          .init("commitment", Self.hex(commitment.bytes)),
        ])
    case .stored(let group): Self.typed("stored", [.init("group", .string(group.hex))])
    case .ready(let group): Self.typed("ready", [.init("group", .string(group.hex))])
    case .ended(let reason): Self.typed("ended", [.init("reason", .string(reason.rawValue))])
    }
  }

  private static func typed(_ type: String, _ members: [JSONValue.Member]) -> [JSONValue.Member] {
    [.init("type", .string(type))] + members
  }

  private static func hex(_ bytes: [UInt8]) -> JSONValue { .string(Hex.encode(bytes)) }

  private static func members(of plan: CeremonyPlan) -> [JSONValue.Member] {
    [
      .init("name", .string(plan.name)), .init("way", .string(plan.way.rawValue)),
      .init("threshold", .integer(Int64(plan.threshold))),
      .init(
        "members",
        .array(plan.members.map { .object([.init("key", .string($0.key.hex)), .init("host_key", hex($0.hostKey))]) })),
    ]
  }
}

extension CeremonyMessage {
  /// - Parameter text: from a stranger.
  /// - Throws: `.malformed`, with the name of what is wrong.
  public init(parsing text: [UInt8]) throws(CosignError) {
    let json = try JSONValue.message(text, version: Self.version)
    let ceremony = try json.bytes32("ceremony")
    self.init(ceremony, try Self.content(json, ceremony))
  }

  private static func content(_ json: JSONValue, _ ceremony: Bytes32) throws(CosignError) -> Content {
    switch json["type"]?.string {
    case "join": return .join(secret: try json.bytes32("secret"), hostKey: try bytes(json, "host_key"))
    case "plan": return .plan(try plan(json, ceremony))
    case "agreed": return .agreed(try json.bytes32("plan"))
    case "contribution": return .contribution(try bytes(json, "bytes"))
    case "sum": return .sum(try bytes(json, "bytes"))
    case "signature": return .signature(try bytes(json, "bytes"))
    case "certificate": return .certificate(try bytes(json, "bytes"))
    case "share": return .share(try share(json), try commitment(json))
    case "stored": return .stored(try json.bytes32("group"))
    case "ready": return .ready(try json.bytes32("group"))
    case "ended":
      guard let reason = json["reason"]?.string.flatMap(Reason.init) else { throw .malformed(wrong: "reason") }
      return .ended(reason)
    default: throw .malformed(wrong: "type")
    }
  }

  private static func plan(_ json: JSONValue, _ ceremony: Bytes32) throws(CosignError) -> CeremonyPlan {
    guard let name = json["name"]?.string else { throw .malformed(wrong: "name") }
    guard let way = json["way"]?.string.flatMap(CeremonyPlan.Way.init) else { throw .malformed(wrong: "way") }
    guard let threshold = json["threshold"]?.integer.flatMap(Int.init(exactly:)) else { throw .malformed(wrong: "threshold") }
    guard let list = json["members"]?.array, list.count <= CosignGroup.mostMembers else { throw .malformed(wrong: "members") }
    var members: [CeremonyPlan.Participant] = []
    for one in list { members.append(.init(key: PublicKey(try one.bytes32("key")), hostKey: try bytes(one, "host_key"))) }
    return try CeremonyPlan(ceremony: ceremony, name: name, way: way, threshold: threshold, members: members)
  }

  private static func share(_ json: JSONValue) throws(CosignError) -> KeyShare {
    var secret = try bytes(json, "share")
    guard let number = json["member"]?.integer.flatMap(UInt32.init(exactly:)), number < CosignGroup.mostMembers else {
      throw .malformed(wrong: "member")
    }
    guard let bytes = try? SecretBytes(wiping: &secret), let key = try? SecretKey(bytes),
      let share = try? KeyShare(key, identifier: number)
    else { throw .malformed(wrong: "share") }
    return share
  }

  private static func commitment(_ json: JSONValue) throws(CosignError) -> SharingCommitment {
    guard let commitment = SharingCommitment(try bytes(json, "commitment")), commitment.threshold <= CosignGroup.mostMembers
    else {
      throw .malformed(wrong: "commitment")
    }
    return commitment
  }

  private static func bytes(_ json: JSONValue, _ name: String) throws(CosignError) -> [UInt8] {
    guard let text = json[name]?.string, text.utf8.count <= 2 * longestPiece, let bytes = Hex.decode(text.utf8), !bytes.isEmpty
    else { throw .malformed(wrong: name) }
    return bytes
  }
}
