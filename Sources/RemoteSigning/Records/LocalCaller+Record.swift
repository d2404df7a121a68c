import Curve
import Encodings
import JSON

extension LocalCaller {
  /// The member `caller` of a pairing's record. A program has a `path`, a site an `origin`, a link a `callback`.
  var record: JSONValue {
    switch self {
    case .program(let program): program.record
    case .site(let site): site.record
    case .link(let link): link.record
    }
  }

  /// Reads what `record` wrote.
  init(_ fields: RecordFields) throws(RecordError) {
    if fields.optionalText("origin") != nil {
      self = .site(try CallingSite(fields))
    } else if fields.optionalText("callback") != nil {
      self = .link(try CallingLink(fields))
    } else {
      self = .program(try CallingProgram(fields))
    }
  }
}

extension CallingProgram {
  fileprivate var record: JSONValue {
    .object(
      [.init("user", .integer(Int64(user))), .init("path", .string(path)), .init("sha256", .string(digest.hex))]
        + (unit.map { [.init("unit", .string($0))] } ?? []) + (sandbox.map { [.init("sandbox", .string($0))] } ?? []))
  }

  fileprivate init(_ fields: RecordFields) throws(RecordError) {
    self.init(
      user: try fields.user(), path: try fields.text("path"), digest: try fields.key("sha256").bytes,
      unit: fields.optionalText("unit"), sandbox: fields.optionalText("sandbox"))
  }
}

extension CallingSite {
  fileprivate var record: JSONValue {
    .object([
      .init("user", .integer(Int64(user))), .init("origin", .string(origin.text)), .init("extension", .string(extensionID)),
      .init("browser", .string(browser)),
    ])
  }

  fileprivate init(_ fields: RecordFields) throws(RecordError) {
    guard let origin = WebOrigin(try fields.text("origin")) else { throw .field("origin") }
    self.init(
      user: try fields.user(), origin: origin, extensionID: try fields.text("extension"), browser: try fields.text("browser"))
  }
}

extension CallingLink {
  fileprivate var record: JSONValue {
    .object([.init("user", .integer(Int64(user))), .init("callback", .string(callback))])
  }

  fileprivate init(_ fields: RecordFields) throws(RecordError) {
    guard let link = CallingLink(user: try fields.user(), callback: try fields.text("callback")) else { throw .field("callback") }
    self = link
  }
}

extension RecordFields {
  fileprivate func user() throws(RecordError) -> UInt32 {
    guard let user = UInt32(exactly: try integer("user")) else { throw .field("user") }
    return user
  }
}
