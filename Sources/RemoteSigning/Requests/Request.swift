import JSON

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

  /// What an opened text is.
  enum Parsed {
    case request(Request)
    /// No request; the id to answer to, where one can be read.
    case unreadable(id: [UInt8]?)
  }

  static func parse(_ plaintext: [UInt8]) -> Parsed {
    var parts: Parts = (nil, nil, false, [])
    let isWhole = plaintext.withUnsafeBytes { (try? read($0, into: &parts)) != nil }
    let id = parts.id.flatMap { !$0.isEmpty && $0.count <= maximumIDLength ? $0 : nil }
    // What has no method is an answer, perhaps; two that answer each other's answers would never end.
    guard isWhole, let id, let name = parts.method else { return .unreadable(id: parts.hasMethod ? id : nil) }
    return .request(Request(id: id, methodName: name, method: Method(rawValue: name), parameters: parts.parameters))
  }

  /// Nothing but the id of what cannot be read.
  init(unreadable id: [UInt8]) { self.init(id: id, methodName: "", method: nil, parameters: nil) }

  /// A request that was never text.
  init(id: [UInt8], method: Method, parameters: [[UInt8]]) {
    self.init(id: id, methodName: method.rawValue, method: method, parameters: parameters)
  }

  private init(id: [UInt8], methodName: String, method: Method?, parameters: [[UInt8]]?) {
    (self.id, self.methodName, self.method, self.parameters) = (id, methodName, method, parameters)
  }

  private typealias Parts = (id: [UInt8]?, method: String?, hasMethod: Bool, parameters: [[UInt8]]?)

  private static func read(_ bytes: UnsafeRawBufferPointer, into parts: inout Parts) throws(JSONError) {
    var once = OnceEach()
    var reader = try JSONReader(bytes)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if key.is("id") {
        parts.id = nil  // of two, neither is answered to
        try once.mark(.id, at: key.offset)
        parts.id = try identifier(&reader)
      } else if key.is("method") {
        parts.hasMethod = true
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
