import JSON

/// The members of a request, an answer or a part of one. Each member is named once, in `visit`: reading, writing and describing a
/// value all go through it, so that the three cannot differ.
///
/// ```swift
/// public struct Request: Fields {
///   public var client = ""
///   public var trust = Trust.medium
///   public init() {}
///   public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
///     try fields.text("client", &client, "The app's name or key.")
///     try fields.word("trust", &trust, "How far the app is trusted.")
///   }
/// }
/// ```
public protocol Fields: Sendable {
  /// A value whose members have their defaults: what a member is when it is left out.
  init()

  /// Names each member to the visitor, in the order in which they are written.
  /// - Throws: when the visitor reads, and a member is missing or has another type.
  mutating func visit(_ fields: FieldVisitor) throws(FieldError)
}

/// An enum that is written as a word. The raw values are stable: they are part of the contract and do not follow Swift's names.
public protocol Word: RawRepresentable<String>, CaseIterable, Sendable {}

/// A setting that a request changes, or leaves as it is when the member is missing. `null` takes the setting away.
public enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
  case unchanged
  /// To nil: the setting is taken away.
  case to(Value?)
}

/// Why the members of a request cannot be read. The first fault is reported.
public enum FieldError: Error, Equatable, Sendable {
  case missing(String)
  case notText(String)
  case notInteger(String)
  case notFlag(String)
  case notTexts(String)
  case notObject(String)
  case notArray(String)
  /// The text is none of the words that the member may have.
  case notAWord(String, words: [String])
  case secretMissing(String)
  /// A secret stands among the parameters, where it could not be wiped.
  case secretAmongParameters(String)
}
