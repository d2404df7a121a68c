/// Reads the CBOR that authenticators send, in the canonical form of CTAP2 (CTAP 2.1, section 8): definite lengths, shortest
/// numbers, no tags and no floating point. The reader is strict and limited in depth, and checks every length against the bytes
/// that remain.
struct CBORReader {
  enum Value: Equatable, Sendable {
    case unsigned(UInt64)
    /// −1 − n, as CBOR counts.
    case negative(UInt64)
    case bytes(ArraySlice<UInt8>)
    case text(String)
    case array([Value])
    /// In the order of the bytes. No key is repeated.
    case map([Entry])
    case bool(Bool)
    case null
  }

  struct Entry: Equatable, Sendable {
    let key: Value
    let value: Value
  }

  enum Fault: Error, Equatable {
    case endsEarly
    case notCanonical
    case unknownType
    case tooDeep
    case tooManyItems
    case notUTF8
    case keyTwice
    case bytesBehind
  }

  /// CTAP2 allows four levels. An attestation statement may use one more.
  static let deepest = 6
  /// The most items, counting keys and values.
  static let mostItems = 256

  private var rest: ArraySlice<UInt8>
  private var items = 0

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The value, which must use all the bytes.
  static func value(_ bytes: ArraySlice<UInt8>) throws(Fault) -> Value {
    var reader = CBORReader(bytes)
    let value = try reader.value()
    guard reader.rest.isEmpty else { throw .bytesBehind }
    return value
  }

  /// The first value, and the bytes after it.
  static func first(_ bytes: ArraySlice<UInt8>) throws(Fault) -> (Value, rest: ArraySlice<UInt8>) {
    var reader = CBORReader(bytes)
    let value = try reader.value()
    return (value, reader.rest)
  }

  private mutating func value(depth: Int = 0) throws(Fault) -> Value {
    guard depth < Self.deepest else { throw .tooDeep }
    guard items < Self.mostItems else { throw .tooManyItems }
    items += 1
    guard let head = rest.popFirst() else { throw .endsEarly }
    if head == 0xF4 || head == 0xF5 { return .bool(head == 0xF5) }
    if head == 0xF6 { return .null }
    guard head >> 5 < 6 else { throw .unknownType }
    let argument = try argument(head & 0x1F)
    switch head >> 5 {
    case 0: return .unsigned(argument)
    case 1: return .negative(argument)
    case 2: return .bytes(try take(argument))
    case 3: return .text(try text(argument))
    case 4: return .array(try array(argument, depth))
    default: return .map(try map(argument, depth))
    }
  }

  /// The number in an item's head, which must have its shortest form.
  private mutating func argument(_ short: UInt8) throws(Fault) -> UInt64 {
    guard short >= 24 else { return UInt64(short) }
    guard short <= 27 else { throw .unknownType }
    let count = 1 << Int(short - 24)
    let number = try take(UInt64(count)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let least: UInt64 = count == 1 ? 24 : 1 << (UInt64(count) * 4)
    guard number >= least else { throw .notCanonical }
    return number
  }

  private mutating func take(_ count: UInt64) throws(Fault) -> ArraySlice<UInt8> {
    guard count <= UInt64(rest.count) else { throw .endsEarly }
    let taken = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return taken
  }

  private mutating func text(_ count: UInt64) throws(Fault) -> String {
    guard let text = String(validating: try take(count), as: UTF8.self) else { throw .notUTF8 }
    return text
  }

  private mutating func array(_ count: UInt64, _ depth: Int) throws(Fault) -> [Value] {
    guard count <= UInt64(Self.mostItems) else { throw .tooManyItems }
    var values: [Value] = []
    for _ in 0..<Int(count) { values.append(try value(depth: depth + 1)) }
    return values
  }

  private mutating func map(_ count: UInt64, _ depth: Int) throws(Fault) -> [Entry] {
    guard count <= UInt64(Self.mostItems) else { throw .tooManyItems }
    var entries: [Entry] = []
    for _ in 0..<Int(count) {
      let key = try value(depth: depth + 1)
      guard !entries.contains(where: { $0.key == key }) else { throw .keyTwice }
      entries.append(Entry(key: key, value: try value(depth: depth + 1)))
    }
    return entries
  }
}

extension CBORReader.Value {
  /// The map member with a text key.
  subscript(_ key: String) -> CBORReader.Value? { self[.text(key)] }

  /// The map member with a numeric key.
  subscript(_ key: Int) -> CBORReader.Value? {
    self[key >= 0 ? .unsigned(UInt64(key)) : .negative(UInt64(-(key + 1)))]
  }

  private subscript(_ key: CBORReader.Value) -> CBORReader.Value? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  var bytes: ArraySlice<UInt8>? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }
}
