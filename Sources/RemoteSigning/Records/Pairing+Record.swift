import Curve
import JSON

extension Pairing {
  /// The record the vault keeps, JSON in UTF-8.
  public var record: [UInt8] {
    JSONValue.object(
      [
        .init("signer", .string(remoteSigner.hex)), .init("client", .string(client.hex)),
        .init("identity", .string(identity.hex)),
        .init("paired_at", .integer(pairedAt)), .init("name", .string(name)), .init("url", url.map { .string($0) } ?? .null),
        .init("requested", .texts(requested.map(\.description))), .init("relays", .texts(relays.map(\.text))),
        .init("relays_by", .string(hasOwnersRelays ? "owner" : "app")),
        .init("last_seen", .integer(lastSeen)), .init("requests", .integer(Int64(requestCount))),
      ] + (relaysInside.isEmpty ? [] : [.init("relays_inside", .texts(relaysInside.map(\.text)))])
        + (longAnswer.map(Self.members) ?? []) + (caller.map { [.init("caller", $0.record)] } ?? []) + grant.members
    ).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    self.init(
      remoteSigner: try fields.key("signer"), client: try fields.key("client"), identity: try fields.key("identity"),
      pairedAt: try fields.integer("paired_at"), name: try fields.text("name"), url: fields.optionalText("url"),
      requested: try fields.permissions("requested"),
      grant: try Grant(fields),
      relays: try fields.relays("relays"), hasOwnersRelays: fields.optionalText("relays_by") == "owner",
      lastSeen: try fields.integer("last_seen"),
      requestCount: Int(clamping: try fields.integer("requests")))
    relaysInside = (try? fields.relays("relays_inside")) ?? []
    if let bytes = fields.optionalInteger("long_answer_bytes"), let at = fields.optionalInteger("long_answer_at") {
      longAnswer = LongAnswer(bytes: Int(clamping: bytes), at: at)
    }
    caller = try fields.optionalObject("caller").map { fields throws(RecordError) in try LocalCaller(fields) }
  }

  private static func members(_ answer: LongAnswer) -> [JSONValue.Member] {
    [.init("long_answer_bytes", .integer(Int64(answer.bytes))), .init("long_answer_at", .integer(answer.at))]
  }
}

extension OpenLink {
  /// The record the vault keeps, JSON in UTF-8. It holds the link's secret.
  public var record: [UInt8] {
    JSONValue.object(
      [
        .init("signer", .string(remoteSigner.hex)), .init("secret", .string(secret)), .init("identity", .string(identity.hex)),
        .init("trust", .string(trust.rawValue)), .init("relays", .texts(relays.map(\.text))), .init("made_at", .integer(madeAt)),
        .init("expires_at", .integer(expiresAt)),
      ] + (name.map { [.init("name", .string($0))] } ?? [])
    ).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    self.init(
      remoteSigner: try fields.key("signer"), secret: try fields.text("secret"), identity: try fields.key("identity"),
      trust: try fields.trust("trust"), relays: try fields.relays("relays"), madeAt: try fields.integer("made_at"),
      expiresAt: try fields.integer("expires_at"), name: fields.optionalText("name"))
  }
}
