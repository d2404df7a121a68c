public import JSON

/// The members of a request, an answer or a part of one. Each member is named once, in `visit`. Reading, writing and describing a
/// value all use it, so the three cannot differ.
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
  /// A value whose members have their defaults, which apply when they are left out.
  init()

  /// Names each member to the visitor, in the order in which they are written.
  /// - Throws: when a member that is read is missing or has another type.
  mutating func visit(_ fields: FieldVisitor) throws(FieldError)
}

extension Fields {
  /// The members as an answer has them, with null or an empty list in the place of a secret.
  public var json: JSONValue { .object(FieldVisitor.write(self, .answering).members) }
}

/// An enum that is written as a word. The raw values are part of the contract: they are stable and independent of Swift's names.
public protocol Word: RawRepresentable<String>, CaseIterable, Sendable {}

/// A setting that a request changes, or leaves unchanged when the member is missing. `null` removes the setting.
public enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
  case unchanged
  /// The new value. Nil removes the setting.
  case to(Value?)
}

/// Why the members of a request cannot be read. The first error is reported.
public enum FieldError: Error, Equatable, Sendable {
  case missing(String)
  case notText(String)
  case notInteger(String)
  case notFlag(String)
  case notTexts(String)
  case notObject(String)
  case notArray(String)
  /// The text is not one of the member's words.
  case notAWord(String, words: [String])
  /// The text is no time, or one that is too short or too long.
  case notADuration(String)
  case secretMissing(String)
  /// A secret is among the parameters, where it could not be wiped.
  case secretAmongParameters(String)
}
