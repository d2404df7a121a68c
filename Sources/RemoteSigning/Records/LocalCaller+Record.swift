import Curve
import Encodings
import JSON

extension LocalCaller {
  /// The member `caller` of a pairing's record.
  var record: JSONValue {
    .object(
      [.init("user", .integer(Int64(user))), .init("path", .string(path)), .init("sha256", .string(digest.hex))]
        + (unit.map { [.init("unit", .string($0))] } ?? []) + (sandbox.map { [.init("sandbox", .string($0))] } ?? []))
  }

  /// Reads what `record` wrote.
  init(_ fields: RecordFields) throws(RecordError) {
    guard let user = UInt32(exactly: try fields.integer("user")) else { throw .field("user") }
    self.init(
      user: user, path: try fields.text("path"), digest: try fields.key("sha256").bytes, unit: fields.optionalText("unit"),
      sandbox: fields.optionalText("sandbox"))
  }
}
