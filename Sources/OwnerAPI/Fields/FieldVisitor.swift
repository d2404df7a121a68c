import JSON
import SecretMemory

/// Visits the members of a value to read, write or describe it.
///
/// A class, so that one visitor can be passed from member to member. It is used by one thread and for one value.
public final class FieldVisitor {
  enum Mode {
    case reading
    /// Writes a request: members without a value are left out, and secrets are not part of the parameters.
    case asking
    /// Writes an answer: null for a member without a value and for a secret.
    case answering
    case describing
  }

  let mode: Mode
  /// The JSON that is read.
  let source: JSONValue
  /// The members written so far.
  private(set) var members: [JSONValue.Member] = []
  /// The secrets that are read or were written so far, by the members' names.
  private(set) var secrets: [String: ControlResult.Secret]
  /// The descriptions made so far.
  private(set) var descriptions: [FieldDescription] = []
  private var isNextLeftOut = false

  private init(_ mode: Mode, _ source: JSONValue = .null, _ secrets: [String: ControlResult.Secret] = [:]) {
    (self.mode, self.source, self.secrets) = (mode, source, secrets)
  }

  // MARK: each use

  static func read<Value: Fields>(
    _ type: Value.Type, from source: JSONValue, secrets: [String: ControlResult.Secret]
  ) throws(FieldError) -> Value {
    var value = Value()
    try value.visit(FieldVisitor(.reading, source, secrets))
    return value
  }

  /// - Parameter mode: `.asking` or `.answering`.
  static func write(
    _ value: some Fields, _ mode: Mode
  ) -> (members: [JSONValue.Member], secrets: [String: ControlResult.Secret]) {
    var value = value
    let visitor = FieldVisitor(mode)
    try? value.visit(visitor)  // throws for reading only
    return (visitor.members, visitor.secrets)
  }

  /// Describes the members of a type.
  public static func describe<Value: Fields>(_ type: Value.Type) -> [FieldDescription] {
    var value = Value()
    let visitor = FieldVisitor(.describing)
    try? value.visit(visitor)  // throws for reading only
    return visitor.descriptions
  }

  // MARK: help for the kinds of members

  /// The member to read; nil when it is missing or null.
  func found(_ name: String) -> JSONValue? {
    guard let value = source[name], !value.isNull else { return nil }
    return value
  }

  /// The same visitor, which leaves out the next member instead of writing null.
  public var leftOut: FieldVisitor {
    isNextLeftOut = true
    return self
  }

  func write(_ name: String, _ value: JSONValue) {
    isNextLeftOut = false
    members.append(.init(name, value))
  }

  /// Writes null for nil, in the mode that requires it.
  func write(_ name: String, optional value: JSONValue?) {
    defer { isNextLeftOut = false }
    if value == nil, isNextLeftOut || mode == .asking { return }
    members.append(.init(name, value ?? .null))
  }

  func write(_ name: String, secret: ControlResult.Secret, place: JSONValue) {
    if mode == .answering { members.append(.init(name, place)) }
    secrets[name] = secret
  }

  /// Sets the part that the descriptions from that index on belong to. Descriptions of a nested part get the outer one.
  func nameIncluded(from first: Int, _ part: String) {
    for index in descriptions.indices[first...] { descriptions[index].included = part }
  }

  func describe(_ name: String, _ kind: FieldDescription.Kind, isOptional: Bool, _ about: String) {
    descriptions.append(FieldDescription(name: name, kind: kind, isOptional: isOptional, about: about))
  }
}
