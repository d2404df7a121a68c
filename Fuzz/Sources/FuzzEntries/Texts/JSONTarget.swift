import JSON

extension FuzzTarget {
  /// A tree that was read is written so that reading gives the same tree, and writing that the same bytes. The cursor and the tree
  /// agree on what is JSON, but for duplicate keys and the number of values, which only the tree counts.
  static let json = FuzzTarget("json") { (bytes) throws(FuzzFault) in
    let skipped = skipResult(bytes)
    let tree: JSONValue
    do throws(JSONError) { tree = try JSONValue(parsing: bytes) } catch {
      try checkFault(error, in: bytes, skipped)
      return
    }
    try require(skipped == nil, "what the tree takes, the cursor skips")
    try require(isWithin(tree, JSONLimits.standard.depth), "the depth limit holds")
    let text = tree.serialized()
    let again = try unfailing("what was written is read") { () throws(JSONError) in try JSONValue(parsing: text) }
    try require(again == tree, "parse, write, parse gives the same tree")
    try require(again.serialized() == text, "writing gives the same bytes twice")
  }

  private static func skipResult(_ bytes: UnsafeRawBufferPointer) -> JSONError? {
    do throws(JSONError) {
      var reader = try JSONReader(bytes)
      try reader.skipValue()
      try reader.end()
      return nil
    } catch { return error }
  }

  private static func checkFault(_ error: JSONError, in bytes: UnsafeRawBufferPointer, _ skipped: JSONError?) throws(FuzzFault) {
    switch error {
    case .duplicateKey(let offset): try require(offset <= bytes.count, "an offset lies inside the text")
    case .tooManyValues: return
    default: try require(skipped != nil, "what the tree refuses for its grammar, the cursor refuses: \(error)")
    }
  }

  private static func isWithin(_ tree: JSONValue, _ depth: Int) -> Bool {
    switch tree {
    case .array(let elements): depth > 0 && elements.allSatisfy { isWithin($0, depth - 1) }
    case .object(let members): depth > 0 && members.allSatisfy { isWithin($0.value, depth - 1) }
    default: true
    }
  }
}
