import Curve
import Encodings
import JSON

extension PendingRequest {
  /// The record the vault keeps, JSON in UTF-8. It contains the event or text that the app wants signed or encrypted.
  public var record: [UInt8] {
    JSONValue.object([
      .init("name", .string(name)), .init("signer", .string(remoteSigner.hex)), .init("client", .string(client.hex)),
      .init("identity", .string(identity.hex)), .init("method", .string(method.rawValue)),
      .init("parameters", .texts(parameters.map { String(decoding: $0, as: UTF8.self) })),
      .init("kind", kind.map { .integer(Int64($0)) } ?? .null), .init("rule", .string(rule.name)),
      .init("event", .string(eventID.hex)), .init("received_at", .integer(receivedAt)),
      .init("order", .integer(order)), .init("replies", .array(replies.map(\.value))),
    ]).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    guard let method = Method(rawValue: try fields.text("method")) else { throw .field("method") }
    // An earlier version kept the reason in the place of the name.
    let name = try fields.text("rule")
    guard let rule = Rule(rawValue: name) ?? Rule(reason: name) else { throw .field("rule") }
    self.init(
      name: try fields.text("name"), remoteSigner: try fields.key("signer"), client: try fields.key("client"),
      identity: try fields.key("identity"), method: method, parameters: try fields.texts("parameters").map { Array($0.utf8) },
      kind: fields.optionalKind("kind"), rule: rule, eventID: try fields.key("event").bytes,
      receivedAt: try fields.integer("received_at"), replies: try ReplyAddress.list(fields.list("replies")))
    // Earlier versions kept no order within a second.
    order = fields.optionalInteger("order") ?? 0
  }
}

extension ReplyAddress {
  private static let noEnvelope: UInt8 = 0

  fileprivate var value: JSONValue {
    .object([
      .init("id", .string(String(decoding: requestID, as: UTF8.self))),
      .init("envelope", .integer(Int64(envelope?.rawValue ?? Self.noEnvelope))),
    ])
  }

  fileprivate static func list(_ fields: [RecordFields]) throws(RecordError) -> [ReplyAddress] {
    var list: [ReplyAddress] = []
    for field in fields {
      guard let raw = UInt8(exactly: try field.integer("envelope")) else { throw .field("envelope") }
      let envelope = EnvelopeCipher(rawValue: raw)
      guard envelope != nil || raw == noEnvelope else { throw .field("envelope") }
      list.append(ReplyAddress(requestID: Array(try field.text("id").utf8), envelope: envelope))
    }
    return list
  }
}
