import Curve
import Encodings
import JSON
import Nostr

extension SignedCoordinate {
  /// The record the vault keeps, JSON in UTF-8.
  public var record: [UInt8] {
    JSONValue.object([
      .init("identity", .string(identity.hex)), .init("kind", .integer(Int64(kind))),
      .init("floor", floor.map { .integer($0) } ?? .null),
      .init("signed", .array(signatures.map { .array([.integer($0.createdAt), .string($0.id.hex)]) })),
      // As texts: a list of ten thousand is not to be read value by value.
      .init("latest", latest.map { .string(String(decoding: $0.json, as: UTF8.self)) } ?? .null),
      .init("reference", reference.map { .string($0.follows.keys.map(\.hex).joined()) } ?? .null),
      .init("reference_since", reference.map { .integer($0.since) } ?? .null), .init("bounded", .bool(isBounded)),
    ]).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    guard let kind = Int(exactly: try fields.integer("kind")) else { throw .field("kind") }
    self.init(identity: try fields.key("identity"), kind: kind)
    floor = fields.optionalInteger("floor")
    isBounded = fields.isTrue("bounded")
    signatures = try fields.signatures("signed")
    if let text = fields.optionalText("latest") {
      do { latest = try EventTemplate(parsing: Array(text.utf8)) } catch { throw .field("latest") }
    }
    guard let keys = fields.optionalText("reference") else { return }
    reference = Reference(
      follows: FollowList(keys: Array(keys.utf8).chunks(of: 64).compactMap { Bytes32(hex: $0).map { PublicKey($0) } }),
      since: try fields.integer("reference_since"))
  }
}

extension EventTemplate {
  fileprivate var json: [UInt8] {
    JSONValue.object([
      .init("created_at", createdAt.map { .integer($0) } ?? .null), .init("kind", .integer(Int64(kind))),
      .init("tags", .array(tags.map { .texts($0) })), .init("content", .string(content)),
    ]).serialized()
  }
}

extension [UInt8] {
  fileprivate func chunks(of size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
