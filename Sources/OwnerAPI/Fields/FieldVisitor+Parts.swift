import JSON
public import SecretMemory

// Members of rarer types, which a few answers use: optional parts and lists, lists of numbers, and a secret beside another of its name.
extension FieldVisitor {
  /// The members of a part, among the others: either all of them or none.
  /// - Parameter first: a member that is there exactly when the part is.
  public func part<Part: Fields>(_ value: inout Part?, knownBy first: String) throws(FieldError) {
    switch mode {
    case .reading:
      value = nil
      guard source[first] != nil else { return }
      var part = Part()
      try part.visit(self)
      value = part
    case .asking, .answering:
      guard var part = value else { return }
      try part.visit(self)
    case .describing:
      for member in FieldVisitor.describe(Part.self) {
        // If an answer has one of two parts, both may have a member of the same name.
        if descriptions.contains(where: { $0.name == member.name && $0.kind == member.kind }) { continue }
        describe(member.name, member.kind, isOptional: true, member.about)
      }
    }
  }

  /// Parts in order, or nil for no list.
  public func objects<Part: Fields>(_ name: String, _ value: inout [Part]?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      value = nil
      guard let found = found(name) else { return }
      guard let list = found.array else { throw .notArray(name) }
      var parts: [Part] = []
      for element in list {
        guard element.members != nil else { throw .notObject(name) }
        parts.append(try FieldVisitor.read(Part.self, from: element, secrets: [:]))
      }
      value = parts
    case .asking, .answering:
      write(name, optional: value.map { .array($0.map { .object(FieldVisitor.write($0, mode).members) }) })
    case .describing: describe(name, .array(PartDescription(Part.self)), isOptional: true, about)
    }
  }

  /// Integers; empty when the member is missing.
  public func integers(_ name: String, _ value: inout [Int64], _ about: String) throws(FieldError) {
    switch mode {
    case .reading: value = try found(name).map { found throws(FieldError) in try Self.integers(name, found) } ?? []
    case .asking, .answering: write(name, .array(value.map { .integer($0) }))
    case .describing: describe(name, .integers, isOptional: true, about)
    }
  }

  /// Lists of integers; empty when the member is missing.
  public func integerLists(_ name: String, _ value: inout [[Int64]], _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      value = []
      guard let found = found(name) else { return }
      guard let lists = found.array else { throw .notArray(name) }
      for list in lists { value.append(try Self.integers(name, list)) }
    case .asking, .answering: write(name, .array(value.map { .array($0.map { .integer($0) }) }))
    case .describing: describe(name, .json, isOptional: true, about)
    }
  }

  private static func integers(_ name: String, _ found: JSONValue) throws(FieldError) -> [Int64] {
    guard let list = found.array else { throw .notArray(name) }
    let integers = list.compactMap(\.integer)
    guard integers.count == list.count else { throw .notInteger(name) }
    return integers
  }

  /// A secret in a request that has a parameter of the same name which is not secret.
  public func secretBeside(_ name: String, _ value: inout SecretBox?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading: value = if case .text(let text)? = secrets[name] { text } else { nil }
    case .asking, .answering: if let value { write(name, secret: .text(value), place: .null) }
    case .describing: describe(name, .secret, isOptional: true, about)
    }
  }
}
