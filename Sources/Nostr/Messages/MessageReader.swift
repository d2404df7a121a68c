import Encodings
import JSON

/// Reads the elements of a message one after the other.
struct MessageReader {
  private var reader: EventReader
  private var index = 0
  private var isOver = false

  init(_ text: UnsafeRawBufferPointer, _ limits: EventLimits) throws(EventError) {
    reader = try EventReader(text, limits)
    try reader.beginArray()
  }

  mutating func name() throws(EventError) -> JSONText {
    try need()
    return try reader.text()
  }

  /// 1 to 64 characters (NIP-01).
  mutating func subscription() throws(EventError) -> String {
    let subscription = try string()
    let isShort = subscription.utf8.count <= 64 || subscription.unicodeScalars.prefix(65).count <= 64
    guard !subscription.isEmpty, isShort else { throw .malformedSubscription }
    return subscription
  }

  mutating func event() throws(EventError) -> Event {
    try need()
    return try Event(from: &reader)
  }

  mutating func id() throws(EventError) -> Bytes32 {
    try need()
    return try reader.bytes32(.id)
  }

  mutating func bool() throws(EventError) -> Bool {
    try need()
    return try reader.bool()
  }

  mutating func string() throws(EventError) -> String {
    try need()
    return try reader.string()
  }

  mutating func optionalString() throws(EventError) -> String? {
    guard try next() else { return nil }
    return try reader.string()
  }

  /// All filters that follow, one at least.
  mutating func filters() throws(EventError) -> [Filter] {
    try need()
    var filters = [try Filter(from: &reader)]
    while try next() {
      guard filters.count < reader.limits.filters else { throw .tooManyFilterValues(limit: reader.limits.filters) }
      filters.append(try Filter(from: &reader))
    }
    return filters
  }

  /// Passes over what else stands in the array and makes sure that nothing stands behind it.
  mutating func end() throws(EventError) {
    while try next() { try reader.skip() }
    try reader.end()
  }

  private mutating func next() throws(EventError) -> Bool {
    guard !isOver else { return false }
    guard try reader.nextElement() else {
      isOver = true
      return false
    }
    index += 1
    return true
  }

  private mutating func need() throws(EventError) {
    guard try next() else { throw .missingElement(index: index) }
  }
}

enum MessageWriter {
  /// `["NAME", …]` with what `body` writes.
  static func message(_ name: StaticString, reserving: Int = 256, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(reserving: reserving)
    writer.beginArray()
    writer.name(name)
    body(&writer)
    writer.endArray()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func name(_ name: StaticString) {
    string(utf8: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}
