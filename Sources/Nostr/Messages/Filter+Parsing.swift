import Curve
import Encodings
import JSON

extension Filter {
  /// Reads one JSON object that fills the whole text. Keys that NIP-01 does not know are passed over, but a tag name that is not
  /// one ASCII letter is refused, for leaving it out would widen the filter.
  public init(parsing text: [UInt8], limits: EventLimits = .standard) throws(EventError) {
    self = try text.withUnsafeBufferPointer { (bytes) throws(EventError) in
      var reader = try EventReader(UnsafeRawBufferPointer(bytes), limits)
      let filter = try Filter(from: &reader)
      try reader.end()
      return filter
    }
  }

  init(from reader: inout EventReader) throws(EventError) {
    self.init()
    var budget = reader.limits.filterValues
    try reader.beginObject()
    while let key = try reader.nextKey() { try read(key, &reader, &budget) }
  }

  private mutating func read(_ key: JSONText, _ reader: inout EventReader, _ budget: inout Int) throws(EventError) {
    if key.is("ids") {
      try once(ids == nil, key)
      ids = try Self.list(&reader, &budget) { (reader) throws(EventError) in try Self.hex(&reader) }
    } else if key.is("authors") {
      try once(authors == nil, key)
      authors = try Self.list(&reader, &budget) { (reader) throws(EventError) in PublicKey(try Self.hex(&reader)) }
    } else if key.is("kinds") {
      try once(kinds == nil, key)
      kinds = try Self.list(&reader, &budget) { (reader) throws(EventError) in try reader.kind() }
    } else if key.is("since") {
      try once(since == nil, key)
      since = try reader.integer()
    } else if key.is("until") {
      try once(until == nil, key)
      until = try reader.integer()
    } else if key.is("limit") {
      try once(limit == nil, key)
      limit = try Self.count(&reader)
    } else if let name = try Self.tagName(key) {
      try once(tags[name] == nil, key)
      tags[name] = try Self.list(&reader, &budget) { (reader) throws(EventError) in try reader.string() }
    } else {
      try reader.skip()
    }
  }

  private func once(_ isFirst: Bool, _ key: JSONText) throws(EventError) {
    guard isFirst else { throw .malformedFilter(at: key.offset) }
  }

  private static func hex(_ reader: inout EventReader) throws(EventError) -> Bytes32 {
    let text = try reader.text()
    guard let bytes = Bytes32(lowerHex: text) else { throw .malformedFilter(at: text.offset) }
    return bytes
  }

  private static func count(_ reader: inout EventReader) throws(EventError) -> Int {
    guard let count = Int(exactly: try reader.integer()), count >= 0 else { throw .malformedFilter(at: reader.position) }
    return count
  }

  /// The letter of a key like `#p`; nil for a key without `#`.
  private static func tagName(_ key: JSONText) throws(EventError) -> Character? {
    let name = key.bytes
    guard name.first == UInt8(ascii: "#") else { return nil }
    guard name.count == 2, (name[1] | 0x20) &- UInt8(ascii: "a") < 26 else { throw .malformedFilter(at: key.offset) }
    return Character(Unicode.Scalar(name[1]))
  }

  private static func list<Element>(
    _ reader: inout EventReader, _ budget: inout Int, _ element: (inout EventReader) throws(EventError) -> Element
  ) throws(EventError) -> [Element] {
    var elements: [Element] = []
    try reader.beginArray()
    while try reader.nextElement() {
      guard budget > 0 else { throw .tooManyFilterValues(limit: reader.limits.filterValues) }
      budget -= 1
      elements.append(try element(&reader))
    }
    return elements
  }
}
