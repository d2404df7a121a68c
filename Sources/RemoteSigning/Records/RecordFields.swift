import Curve
import Encodings
import JSON

/// A stored record has unexpected contents: it is another program's, or a newer version's.
public enum RecordError: Error, Equatable, Sendable {
  /// The bytes are no JSON object.
  case notAnObject
  /// A field is missing or of the wrong kind.
  case field(StaticString)

  /// By case and field name.
  public static func == (a: RecordError, b: RecordError) -> Bool { "\(a)" == "\(b)" }
}

/// The fields of one stored record, each read with the error that names it.
struct RecordFields {
  private let value: JSONValue

  init(_ bytes: [UInt8]) throws(RecordError) {
    guard let value = try? JSONValue(parsing: bytes), value.members != nil else { throw .notAnObject }
    self.value = value
  }

  init(_ value: JSONValue) { self.value = value }

  func text(_ name: StaticString) throws(RecordError) -> String {
    guard let text = value[name.description]?.string else { throw .field(name) }
    return text
  }

  func optionalText(_ name: StaticString) -> String? { value[name.description]?.string }

  func integer(_ name: StaticString) throws(RecordError) -> Int64 {
    guard let integer = value[name.description]?.integer else { throw .field(name) }
    return integer
  }

  func truth(_ name: StaticString) throws(RecordError) -> Bool {
    guard let truth = value[name.description]?.bool else { throw .field(name) }
    return truth
  }

  /// False when the field is missing: a record of an earlier version.
  func isTrue(_ name: StaticString) -> Bool { value[name.description]?.bool ?? false }

  func optionalKind(_ name: StaticString) -> Int? { value[name.description]?.integer.map { Int($0) } }

  func key(_ name: StaticString) throws(RecordError) -> PublicKey {
    guard let key = PublicKey(hex: try text(name)) else { throw .field(name) }
    return key
  }

  func texts(_ name: StaticString) throws(RecordError) -> [String] {
    guard let list = value[name.description]?.array else { throw .field(name) }
    return list.compactMap(\.string)
  }

  func list(_ name: StaticString) throws(RecordError) -> [RecordFields] {
    guard let list = value[name.description]?.array else { throw .field(name) }
    return list.map { RecordFields($0) }
  }

  /// Nil when the field is missing: a record of an earlier version.
  func optionalList(_ name: StaticString) throws(RecordError) -> [RecordFields]? {
    guard let found = value[name.description] else { return nil }
    guard let list = found.array else { throw .field(name) }
    return list.map { RecordFields($0) }
  }

  /// Nil when the field is missing.
  func optionalObject(_ name: StaticString) throws(RecordError) -> RecordFields? {
    guard let found = value[name.description] else { return nil }
    guard found.members != nil else { throw .field(name) }
    return RecordFields(found)
  }

  func optionalInteger(_ name: StaticString) -> Int64? { value[name.description]?.integer }

  /// Pairs of time and event id.
  func signatures(_ name: StaticString) throws(RecordError) -> [SignedCoordinate.Signature] {
    guard let list = value[name.description]?.array else { throw .field(name) }
    var signatures: [SignedCoordinate.Signature] = []
    for pair in list {
      guard let time = pair[0]?.integer, let id = (pair[1]?.string).flatMap({ Bytes32(hex: $0) }) else { throw .field(name) }
      signatures.append(.init(createdAt: time, id: id))
    }
    return signatures
  }

  /// False when the field is missing.
  func flag(_ name: StaticString) -> Bool { value[name.description]?.bool ?? false }

  /// Numbers and nulls; none when the field is missing.
  func counts(_ name: StaticString) -> [Int?] {
    (value[name.description]?.array ?? []).map { $0.integer.map { Int(clamping: max(0, $0)) } }
  }

  func relays(_ name: StaticString) throws(RecordError) -> [RelayURL] { try texts(name).compactMap { RelayURL($0) } }

  func permissions(_ name: StaticString) throws(RecordError) -> [Permission] {
    try texts(name).compactMap { Permission(parsing: $0) }
  }

  func trust(_ name: StaticString) throws(RecordError) -> TrustLevel {
    guard let trust = TrustLevel(rawValue: try text(name)) else { throw .field(name) }
    return trust
  }
}

extension JSONValue {
  /// A list of texts.
  static func texts(_ list: some Sequence<String>) -> JSONValue { .array(list.map { .string($0) }) }
}
