internal import JSON

/// An opened NIP-46 request: `{id, method, params}`.
struct Request: Sendable {
  /// The longest id taken, in bytes of JSON; real ones have 1 to 64.
  static let maximumIDLength = 256
  /// The most parameters read; no method has more than four.
  static let maximumParameters = 16

  /// As the app wrote it, a JSON string or number: it goes back verbatim.
  let id: [UInt8]
  /// As the app wrote it, for telling it back when unknown.
  let methodName: String
  /// Nil for a method this signer does not know.
  let method: Method?
  /// Each as text: strings decoded, objects and arrays as their JSON (some apps forget to quote an event), numbers as written,
  /// null as nothing. Nil when `params` is no list.
  let parameters: [[UInt8]]?

  /// - Returns: nil for anything that has no id to answer to, or no method.
  init?(parsing plaintext: [UInt8]) {
    guard let parts = plaintext.withUnsafeBytes({ try? Self.parts(of: $0) }), let id = parts.id, let name = parts.method,
      !id.isEmpty, id.count <= Self.maximumIDLength
    else { return nil }
    (self.id, methodName, method, parameters) = (id, name, Method(rawValue: name), parts.parameters)
  }

  private typealias Parts = (id: [UInt8]?, method: String?, parameters: [[UInt8]]?)

  private static func parts(of bytes: UnsafeRawBufferPointer) throws(JSONError) -> Parts {
    var parts: Parts = (nil, nil, [])
    var once = OnceEach()
    var reader = try JSONReader(bytes)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if key.is("id") {
        try once.mark(.id, at: key.offset)
        parts.id = try identifier(&reader)
      } else if key.is("method") {
        try once.mark(.method, at: key.offset)
        parts.method = try reader.readString()
      } else if key.is("params") {
        try once.mark(.params, at: key.offset)
        parts.parameters = try list(&reader)
      } else {
        try reader.skipValue()
      }
    }
    try reader.end()
    return parts
  }

  /// A key that comes twice is refused: what is done must not depend on which of the two a reader takes.
  private struct OnceEach {
    enum Key: UInt8 {
      case id = 1
      case method = 2
      case params = 4
    }

    private var seen: UInt8 = 0

    mutating func mark(_ key: Key, at offset: Int) throws(JSONError) {
      guard seen & key.rawValue == 0 else { throw .duplicateKey(at: offset) }
      seen |= key.rawValue
    }
  }

  private static func identifier(_ reader: inout JSONReader) throws(JSONError) -> [UInt8]? {
    switch try reader.peek() {
    case .string, .number: return [UInt8](try reader.rawValue())
    default:
      try reader.skipValue()
      return nil
    }
  }

  private static func list(_ reader: inout JSONReader) throws(JSONError) -> [[UInt8]]? {
    guard case .array = try reader.peek() else {
      try reader.skipValue()
      return nil
    }
    var list: [[UInt8]] = []
    try reader.beginArray()
    while try reader.nextElement() {
      let text = try text(&reader)
      if list.count < maximumParameters { list.append(text) }
    }
    return list
  }

  private static func text(_ reader: inout JSONReader) throws(JSONError) -> [UInt8] {
    switch try reader.peek() {
    case .string: return try reader.readText().bytes
    case .null:
      try reader.readNull()
      return []
    default: return [UInt8](try reader.rawValue())
    }
  }
}
