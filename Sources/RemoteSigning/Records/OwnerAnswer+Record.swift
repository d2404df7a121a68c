import Curve
import Encodings
import JSON

extension OwnerAnswer {
  /// The record the vault keeps, JSON in UTF-8. Of the request it contains only a digest.
  public var record: [UInt8] {
    JSONValue.object([
      .init("answer", .bool(isApproved)), .init("event", .string(eventID.hex)), .init("signer", .string(remoteSigner.hex)),
      .init("question", .string(question.hex)), .init("asked_at", .integer(askedAt)), .init("answered_at", .integer(answeredAt)),
    ]).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    self.init(
      eventID: try fields.key("event").bytes, remoteSigner: try fields.key("signer"), question: try fields.key("question").bytes,
      isApproved: try fields.truth("answer"), askedAt: try fields.integer("asked_at"),
      answeredAt: try fields.integer("answered_at"))
  }
}
