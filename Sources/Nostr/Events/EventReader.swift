import Curve
import Encodings
import JSON

/// A JSON cursor that throws `EventError` and knows the values that events are made of.
struct EventReader {
  private var json: JSONReader
  let limits: EventLimits

  init(_ text: UnsafeRawBufferPointer, _ limits: EventLimits) throws(EventError) {
    do { json = try JSONReader(text, limits: limits.json) } catch { throw .json(error) }
    self.limits = limits
  }

  /// The cursor, in bytes from the start of the text.
  var position: Int { json.position }

  mutating func beginObject() throws(EventError) { do { try json.beginObject() } catch { throw .json(error) } }

  mutating func nextKey() throws(EventError) -> JSONText? { do { return try json.nextKey() } catch { throw .json(error) } }

  mutating func beginArray() throws(EventError) { do { try json.beginArray() } catch { throw .json(error) } }

  mutating func nextElement() throws(EventError) -> Bool { do { return try json.nextElement() } catch { throw .json(error) } }

  mutating func text() throws(EventError) -> JSONText { do { return try json.readText() } catch { throw .json(error) } }

  mutating func string() throws(EventError) -> String { try text().string }

  mutating func integer() throws(EventError) -> Int64 { do { return try json.readInteger() } catch { throw .json(error) } }

  mutating func bool() throws(EventError) -> Bool { do { return try json.readBool() } catch { throw .json(error) } }

  mutating func skip() throws(EventError) { do { try json.skipValue() } catch { throw .json(error) } }

  mutating func peek() throws(EventError) -> JSONReader.Kind { do { return try json.peek() } catch { throw .json(error) } }

  mutating func end() throws(EventError) { do { try json.end() } catch { throw .json(error) } }

  /// 64 lower-case hex digits.
  mutating func bytes32(_ field: EventField) throws(EventError) -> Bytes32 {
    let text = try text()
    guard let bytes = Bytes32(lowerHex: text) else { throw .notHex(field, at: text.offset) }
    return bytes
  }

  /// 128 lower-case hex digits.
  mutating func signature() throws(EventError) -> Signature {
    let text = try text()
    guard text.count == 128, let digits = text.plainBytes,
      let r = Bytes32(lowerHex: UnsafeRawBufferPointer(rebasing: digits[0..<64])),
      let s = Bytes32(lowerHex: UnsafeRawBufferPointer(rebasing: digits[64..<128]))
    else { throw .notHex(.signature, at: text.offset) }
    return Signature(r: r, s: s)
  }

  /// Seconds since 1970, not negative.
  mutating func time() throws(EventError) -> Int64 {
    let time = try integer()
    guard time >= 0 else { throw .outOfRange(.createdAt, at: position) }
    return time
  }

  /// 0 to 65535.
  mutating func kind() throws(EventError) -> Int {
    let kind = try integer()
    guard let kind = Int(exactly: kind), EventKind.range.contains(kind) else { throw .outOfRange(.kind, at: position) }
    return kind
  }

  mutating func content() throws(EventError) -> String {
    let text = try text()
    let content = text.string
    guard content.utf8.count <= limits.content else { throw .tooLarge(.content, limit: limits.content) }
    return content
  }

  mutating func tags() throws(EventError) -> [[String]] {
    var tags: [[String]] = []
    var items = 0
    try beginArray()
    while try nextElement() {
      guard tags.count < limits.tags else { throw .tooLarge(.tags, limit: limits.tags) }
      tags.append(try tag(counting: &items))
    }
    return tags
  }

  private mutating func tag(counting items: inout Int) throws(EventError) -> [String] {
    var tag: [String] = []
    try beginArray()
    while try nextElement() {
      guard items < limits.tagItems else { throw .tooLarge(.tags, limit: limits.tagItems) }
      items += 1
      if tag.isEmpty { tag.reserveCapacity(4) }
      tag.append(try string())
    }
    return tag
  }
}

extension Bytes32 {
  /// - Returns: nil unless the string is exactly 64 hex digits in lower case.
  init?(lowerHex text: JSONText) {
    guard let digits = text.plainBytes else { return nil }  // nobody escapes a hex digit
    self.init(lowerHex: digits)
  }
}
