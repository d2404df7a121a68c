import JSON
public import SecretMemory

// Secrets travel beside the JSON, in guarded memory. In the object they are null or an empty list.
extension FieldVisitor {
  /// A secret, or none.
  public func secret(_ name: String, _ value: inout SecretBox?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      if found(name) != nil { throw .secretAmongParameters(name) }
      value = if case .text(let text)? = secrets[name] { text } else { nil }
    case .asking, .answering: if let value { write(name, secret: .text(value), place: .null) }
    case .describing: describe(name, .secret, isOptional: true, about)
    }
  }

  /// Secrets in order; empty when the member is missing.
  public func secrets(_ name: String, _ value: inout [SecretBox], _ about: String) throws(FieldError) {
    switch mode {
    case .reading: value = if case .list(let texts)? = secrets[name] { texts } else { [] }
    case .asking, .answering: write(name, secret: .list(value), place: .array([]))
    case .describing: describe(name, .secrets, isOptional: true, about)
    }
  }
}

// Settings that change only when they are named.
extension FieldVisitor {
  /// An integer; null removes the setting; a missing member leaves it.
  public func change(_ name: String, _ value: inout Change<Int64>, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let given = source[name] else { return value = .unchanged }
      guard !given.isNull else { return value = .to(nil) }
      guard let integer = given.integer else { throw .notInteger(name) }
      value = .to(integer)
    case .asking, .answering: if case .to(let setting) = value { write(name, setting.map { .integer($0) } ?? .null) }
    case .describing: describe(name, .integer, isOptional: true, about)
    }
  }

  /// A text; null or an empty text removes the setting; a missing member leaves it.
  public func change(_ name: String, _ value: inout Change<String>, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let given = source[name] else { return value = .unchanged }
      guard !given.isNull else { return value = .to(nil) }
      guard let text = given.string else { throw .notText(name) }
      value = .to(text.isEmpty ? nil : text)
    case .asking, .answering: if case .to(let setting) = value { write(name, setting.map { .string($0) } ?? .null) }
    case .describing: describe(name, .text, isOptional: true, about)
    }
  }
}
