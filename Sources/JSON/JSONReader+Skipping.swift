extension JSONReader {
  /// Skips one value of any kind, checking it as strictly as if it were read. Does not search for duplicate keys.
  public mutating func skipValue() throws(JSONError) {
    switch try peek() {
    case .string: _ = try readText()
    case .number: _ = try readNumber()
    case .bool: _ = try readBool()
    case .null: try readNull()
    // Recursion ends at the depth limit: begin… throws there.
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    }
  }

  /// Skips one value and returns its unchanged bytes, without the white space around it.
  public mutating func rawValue() throws(JSONError) -> UnsafeRawBufferPointer {
    _ = try nextByte()
    let start = position
    try skipValue()
    return UnsafeRawBufferPointer(start: base + start, count: position - start)
  }
}
