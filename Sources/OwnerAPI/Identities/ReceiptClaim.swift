// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import JSON

/// One statement of a receipt, and whether it holds.
public struct ReceiptClaim: Fields {
  /// Whether a statement holds. In JSON: true, false, or one of the texts “not enforced here” and “not known”.
  public enum Holding: Sendable, Equatable {
    case yes, no
    /// This machine cannot enforce it.
    case notEnforcedHere
    /// What would show it no longer exists.
    case notKnown
  }

  /// A stable name for programs, such as `gone-when-locked`.
  public var claim = ""
  /// For people.
  public var sentence = ""
  public var holds = Holding.no
  /// When it was last tested, in seconds since 1970; nil for never.
  public var tested: Int64?
  /// What enforces it, or how it was determined.
  public var how = ""
  /// What mends a risk; nil for a property, which is neither good nor bad.
  public var remedy: Remedy?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("claim", &claim, "The statement's name, for programs.")
    try fields.anyText("sentence", &sentence, "The statement, for people.")
    try visitHolds(fields)
    try fields.integer("tested", &tested, "When it was last tested, in seconds since 1970; null for never.")
    try fields.anyText("how", &how, "What enforces it, or how it was determined.")
    try fields.word("remedy", &remedy, "What to do about it when it does not hold; null for a mere property of the key.")
  }

  private mutating func visitHolds(_ fields: FieldVisitor) throws(FieldError) {
    var written: JSONValue? = holds.json
    try fields.json("holds", &written, "Whether it holds: true, false, “not enforced here” or “not known”.")
    guard let found = Holding(written) else {
      throw .notAWord("holds", words: ["true", "false", Holding.notEnforced, Holding.unknown])
    }
    holds = found
  }
}

extension ReceiptClaim.Holding {
  fileprivate static let notEnforced = "not enforced here"
  fileprivate static let unknown = "not known"

  fileprivate init?(_ json: JSONValue?) {
    switch json {
    case .bool(true)?: self = .yes
    case .bool(false)?: self = .no
    case .string(Self.notEnforced)?: self = .notEnforcedHere
    case .string(Self.unknown)?: self = .notKnown
    default: return nil
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .yes: .bool(true)
    case .no: .bool(false)
    case .notEnforcedHere: .string(Self.notEnforced)
    case .notKnown: .string(Self.unknown)
    }
  }
}
