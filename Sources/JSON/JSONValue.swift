/// A JSON value as a tree, for texts where convenience counts more than speed.
public indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Any other number, as it was written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members in the order of the text.
  case object([Member])

  /// One member of an object.
  public struct Member: Sendable, Equatable {
    /// The decoded name.
    public let key: String
    /// The value after the colon.
    public let value: JSONValue

    /// A member by its parts.
    public init(_ key: String, _ value: JSONValue) { (self.key, self.value) = (key, value) }
  }

  /// Reads one value that fills the whole text. RFC 8259, strictly; a key that stands twice in one object is refused.
  public init(parsing text: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    self = try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      try JSONValue(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// As above, for bytes that are lent.
  public init(parsing text: UnsafeRawBufferPointer, limits: JSONLimits = .standard) throws(JSONError) {
    var reader = try JSONReader(text, limits: limits)
    self = try JSONValue(from: &reader, limits: limits)
    try reader.end()
  }

  /// Reads one value at the cursor.
  public init(from reader: inout JSONReader, limits: JSONLimits = .standard) throws(JSONError) {
    var tree = TreeReader(limit: limits.values)
    self = try tree.value(&reader)
  }

  /// The value as compact JSON.
  public func serialized() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Appends the value to the writer.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .number(let text): Array(text.utf8).withUnsafeBytes { writer.raw($0) }
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

/// Builds the tree and counts what it builds.
private struct TreeReader {
  let limit: Int
  private var count = 0

  init(limit: Int) { self.limit = limit }

  mutating func value(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
    guard count < limit else { throw .tooManyValues(limit: limit) }
    count += 1
    switch try reader.peek() {
    case .null:
      try reader.readNull()
      return .null
    case .bool: return .bool(try reader.readBool())
    case .string: return .string(try reader.readString())
    case .number:
      let number = try reader.readNumber()
      return number.integer.map { .integer($0) } ?? .number(number.text)
    case .array: return .array(try elements(&reader))
    case .object: return .object(try members(&reader))
    }
  }

  // Recursion ends at the reader's depth limit.
  private mutating func elements(_ reader: inout JSONReader) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try reader.beginArray()
    while try reader.nextElement() { elements.append(try value(&reader)) }
    return elements
  }

  private mutating func members(_ reader: inout JSONReader) throws(JSONError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var keys = KeySet()
    try reader.beginObject()
    while let text = try reader.nextKey() {
      let key = text.string
      guard keys.insert(key, beside: members) else { throw .duplicateKey(at: text.offset) }
      members.append(.init(key, try value(&reader)))
    }
    return members
  }
}

/// Finds a second use of a key: by looking along the members while they are few, in a set when they are many. Keys are compared
/// byte for byte: `é` in one piece and in two are different keys, which `String` takes for equal.
private struct KeySet {
  private static let few = 12
  private var seen: Set<[UInt8]> = []

  mutating func insert(_ key: String, beside members: [JSONValue.Member]) -> Bool {
    guard members.count >= Self.few else { return !members.contains { $0.key.utf8.elementsEqual(key.utf8) } }
    if seen.isEmpty { for member in members { seen.insert(Array(member.key.utf8)) } }
    return seen.insert(Array(key.utf8)).inserted
  }
}
