import JSON

// Lists other than plain lists of texts.
extension FieldVisitor {
  /// Texts in order, or nil: a missing list differs from an empty one.
  public func texts(_ name: String, _ value: inout [String]?, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard found(name) != nil else { return value = nil }
      var texts: [String] = []
      try self.texts(name, &texts, about)
      value = texts
    case .asking, .answering: write(name, optional: value.map { texts in .array(texts.map { .string($0) }) })
    case .describing: describe(name, .texts, isOptional: true, about)
    }
  }

  /// Words in order; empty when the member is missing.
  public func words<W: Word>(_ name: String, _ value: inout [W], _ about: String) throws(FieldError) {
    if mode == .describing { return describe(name, .words(W.allCases.map(\.rawValue)), isOptional: true, about) }
    var texts = value.map(\.rawValue)
    try self.texts(name, &texts, about)
    guard mode == .reading else { return }
    var words: [W] = []
    for text in texts {
      guard let word = W(rawValue: text) else { throw .notAWord(name, words: W.allCases.map(\.rawValue)) }
      words.append(word)
    }
    value = words
  }

  /// Texts in order; null or an empty list removes the setting; a missing member leaves it.
  public func change(_ name: String, _ value: inout Change<[String]>, _ about: String) throws(FieldError) {
    switch mode {
    case .reading:
      guard source[name] != nil else { return value = .unchanged }
      var texts: [String] = []
      try self.texts(name, &texts, about)
      value = .to(texts.isEmpty ? nil : texts)
    case .asking, .answering: if case .to(let setting) = value { write(name, .array((setting ?? []).map { .string($0) })) }
    case .describing: describe(name, .texts, isOptional: true, about)
    }
  }
}
