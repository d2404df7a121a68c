public import JSON

extension FieldVisitor {
  /// A part with its own members.
  public func object<Part: Fields>(_ name: String, _ value: inout Part, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { throw .missing(name) }
      value = try Self.part(name, found)
    case .asking, .answering: write(name, json(value))
    case .describing: describe(name, .object(PartDescription(Part.self)), isOptional: false, about)
    }
  }

  /// A part with its own members, or none.
  public func object<Part: Fields>(_ name: String, _ value: inout Part?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading: value = try found(name).map { found throws(FieldError) in try Self.part(name, found) }
    case .asking, .answering: write(name, optional: value.map { json($0) })
    case .describing: describe(name, .object(PartDescription(Part.self)), isOptional: true, about)
    }
  }

  /// Parts in order; empty when the member is missing.
  public func objects<Part: Fields>(_ name: String, _ value: inout [Part], _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { return value = [] }
      guard let list = found.array else { throw .notArray(name) }
      value = try list.map { element throws(FieldError) in try Self.part(name, element) }
    case .asking, .answering: write(name, .array(value.map { json($0) }))
    case .describing: describe(name, .array(PartDescription(Part.self)), isOptional: true, about)
    }
  }

  /// The members of a part, among those of the enclosing value.
  public func include<Part: Fields>(_ value: inout Part) throws(FieldError) {
    let first = descriptions.count
    try value.visit(self)
    if mode == .describing { nameIncluded(from: first, PartDescription.name(of: Part.self)) }
  }

  /// Any JSON: an event, a request of an app.
  public func json(_ name: String, _ value: inout JSONValue?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading: value = found(name)
    case .asking, .answering: write(name, optional: value)
    case .describing: describe(name, .json, isOptional: true, about)
    }
  }

  // Secrets are members of the whole request or answer, never of a part of it.
  private static func part<Part: Fields>(_ name: String, _ found: JSONValue) throws(FieldError) -> Part {
    guard found.members != nil else { throw .notObject(name) }
    return try FieldVisitor.read(Part.self, from: found, secrets: [:])
  }

  private func json(_ part: some Fields) -> JSONValue { .object(FieldVisitor.write(part, mode).members) }
}
