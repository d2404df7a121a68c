import JSON
import SecretMemory

/// Reads JSON that contains secrets. They go from the text into guarded memory and never through a `String`.
struct SecretJSON {
  var reader: JSONReader
  private let form: KeyForm

  init(_ bytes: UnsafeRawBufferPointer, _ form: KeyForm) throws(IdentityError) {
    self.form = form
    do { reader = try JSONReader(bytes) } catch { throw .badKey(.file(form, "JSON")) }
  }

  /// Runs `body` for each member of the object at the cursor; `body` reads the value and says so, or it is skipped.
  /// - Throws: what `body` throws; `.file(form, "JSON")` for what is no JSON, and for a name that comes twice.
  mutating func eachMember(
    _ body: (inout SecretJSON, JSONText) throws(IdentityError) -> Bool
  ) throws(IdentityError) {
    var seen: [[UInt8]] = []
    try step { (self) throws(JSONError) in try self.reader.beginObject() }
    while let key = try step({ (self) throws(JSONError) in try self.reader.nextKey() }) {
      let name = key.bytes
      guard !seen.contains(name), seen.count < KeyExport.mostKeys else { throw .badKey(.file(form, "JSON")) }
      seen.append(name)
      if try !body(&self, key) { try step { (self) throws(JSONError) in try self.reader.skipValue() } }
    }
  }

  /// Runs `body` for each element of the array at the cursor.
  mutating func eachElement(_ body: (inout SecretJSON) throws(IdentityError) -> Void) throws(IdentityError) {
    try step { (self) throws(JSONError) in try self.reader.beginArray() }
    while try step({ (self) throws(JSONError) in try self.reader.nextElement() }) { try body(&self) }
  }

  /// A text that is no secret; nil for null.
  mutating func text() throws(IdentityError) -> String? {
    if try step({ (self) throws(JSONError) in try self.reader.peek() }) == .null {
      try step { (self) throws(JSONError) in try self.reader.readNull() }
      return nil
    }
    return try step { (self) throws(JSONError) in try self.reader.readString() }
  }

  mutating func integer() throws(IdentityError) -> Int64 {
    try step { (self) throws(JSONError) in try self.reader.readInteger() }
  }

  mutating func bool() throws(IdentityError) -> Bool { try step { (self) throws(JSONError) in try self.reader.readBool() } }

  /// A text that is a secret; nil for null and for an empty one.
  mutating func secret() throws(IdentityError) -> SecretBox? {
    if try step({ (self) throws(JSONError) in try self.reader.peek() }) == .null {
      try step { (self) throws(JSONError) in try self.reader.readNull() }
      return nil
    }
    let text = try step { (self) throws(JSONError) in try self.reader.readText() }
    guard text.count > 0 else { return nil }
    return try keyStep(.outOfMemory) {
      var length = 0
      let whole = try SecretBytes(count: text.count) { (target) throws(Never) in
        length = text.decode(into: target.bindMemory(to: UInt8.self))
      }
      return SecretBox(
        try whole.withBytes { try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(length))) })
    }
  }

  /// What follows must be white space only.
  mutating func end() throws(IdentityError) { try step { (self) throws(JSONError) in try self.reader.end() } }

  private mutating func step<Result>(
    _ body: (inout SecretJSON) throws(JSONError) -> Result
  ) throws(IdentityError) -> Result {
    do { return try body(&self) } catch { throw .badKey(.file(form, "JSON")) }
  }
}
