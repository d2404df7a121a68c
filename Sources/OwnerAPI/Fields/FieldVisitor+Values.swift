import JSON

// Each method names one member. When reading, a missing required member is an error; an optional one becomes nil or keeps its
// default. When writing, nil is written as null, or left out for a member that is named with `leftOut`.
extension FieldVisitor {
  /// A text that is not empty.
  public func text(_ name: String, _ value: inout String, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { throw .missing(name) }
      guard let text = found.string else { throw .notText(name) }
      guard !text.isEmpty else { throw .missing(name) }
      value = text
    case .asking, .answering: write(name, .string(value))
    case .describing: describe(name, .text, isOptional: false, about)
    }
  }

  /// A text; an empty one counts as missing.
  public func text(_ name: String, _ value: inout String?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      value = nil
      guard let found = found(name) else { return }
      guard let text = found.string else { throw .notText(name) }
      value = text.isEmpty ? nil : text
    case .asking, .answering: write(name, optional: value.map { .string($0) })
    case .describing: describe(name, .text, isOptional: true, about)
    }
  }

  /// A text, or true for any, which counts as no text.
  public func textOrTrue(_ name: String, _ value: inout String?, _ about: String) throws(FieldError) {
    if mode == .reading, found(name)?.bool == true { return value = nil }
    try text(name, &value, about)
  }

  /// A text that may be missing, and may be empty, which is not the same.
  public func anyText(_ name: String, _ value: inout String?, _ about: String) throws(FieldError) {
    guard mode == .reading else { return try text(name, &value, about) }
    value = nil
    guard let found = found(name) else { return }
    guard let text = found.string else { throw .notText(name) }
    value = text
  }

  /// A text that may be empty, in answers.
  public func anyText(_ name: String, _ value: inout String, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let text = found(name)?.string else { throw .missing(name) }
      value = text
    case .asking, .answering: write(name, .string(value))
    case .describing: describe(name, .text, isOptional: false, about)
    }
  }

  /// An integer.
  public func integer(_ name: String, _ value: inout Int64, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { throw .missing(name) }
      guard let integer = found.integer else { throw .notInteger(name) }
      value = integer
    case .asking, .answering: write(name, .integer(value))
    case .describing: describe(name, .integer, isOptional: false, about)
    }
  }

  /// An integer, or none.
  public func integer(_ name: String, _ value: inout Int64?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      value = nil
      guard let found = found(name) else { return }
      guard let integer = found.integer else { throw .notInteger(name) }
      value = integer
    case .asking, .answering: write(name, optional: value.map { .integer($0) })
    case .describing: describe(name, .integer, isOptional: true, about)
    }
  }

  /// True or false; the default when it is missing.
  public func flag(_ name: String, _ value: inout Bool, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { return }
      guard let flag = found.bool else { throw .notFlag(name) }
      value = flag
    case .asking, .answering: write(name, .bool(value))
    case .describing: describe(name, .flag, isOptional: true, about)
    }
  }

  /// True, false, or neither.
  public func flag(_ name: String, _ value: inout Bool?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      value = nil
      guard let found = found(name) else { return }
      guard let flag = found.bool else { throw .notFlag(name) }
      value = flag
    case .asking, .answering: write(name, optional: value.map { .bool($0) })
    case .describing: describe(name, .flag, isOptional: true, about)
    }
  }

  /// Texts; empty when the member is missing.
  public func texts(_ name: String, _ value: inout [String], _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { return value = [] }
      value = try Self.texts(name, found)
    case .asking, .answering: write(name, .array(value.map { .string($0) }))
    case .describing: describe(name, .texts, isOptional: true, about)
    }
  }

  private static func texts(_ name: String, _ found: JSONValue) throws(FieldError) -> [String] {
    guard let list = found.array else { throw .notTexts(name) }
    let texts = list.compactMap(\.string)
    guard texts.count == list.count else { throw .notTexts(name) }
    return texts
  }

  /// One of several words.
  public func word<W: Word>(_ name: String, _ value: inout W, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard let found = found(name) else { throw .missing(name) }
      value = try Self.word(name, found)
    case .asking, .answering: write(name, .string(value.rawValue))
    case .describing: describe(name, .word(W.allCases.map(\.rawValue)), isOptional: false, about)
    }
  }

  /// One of several words, or none.
  public func word<W: Word>(_ name: String, _ value: inout W?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading: value = try found(name).map { found throws(FieldError) in try Self.word(name, found) }
    case .asking, .answering: write(name, optional: value.map { .string($0.rawValue) })
    case .describing: describe(name, .word(W.allCases.map(\.rawValue)), isOptional: true, about)
    }
  }

  private static func word<W: Word>(_ name: String, _ found: JSONValue) throws(FieldError) -> W {
    guard let word = found.string.flatMap({ W(rawValue: $0) }) else { throw .notAWord(name, words: W.allCases.map(\.rawValue)) }
    return word
  }
}
