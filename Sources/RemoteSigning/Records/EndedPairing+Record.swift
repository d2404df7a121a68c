import Curve
import JSON

extension EndedPairing {
  /// The record the vault keeps, JSON in UTF-8.
  public var record: [UInt8] {
    JSONValue.object([
      .init("signer", .string(remoteSigner.hex)), .init("client", client.map { .string($0.hex) } ?? .null),
      .init("relays", .texts(relays.map(\.text))), .init("ended_at", .integer(endedAt)),
    ]).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    let client = try fields.optionalText("client") == nil ? nil : fields.key("client")
    self.init(
      remoteSigner: try fields.key("signer"), client: client, relays: try fields.relays("relays"),
      endedAt: try fields.integer("ended_at"))
  }
}
