// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One member, as the documentation shows it.
public struct FieldDescription: Sendable, Equatable {
  /// The type of a member.
  public indirect enum Kind: Sendable, Equatable {
    case text
    case integer
    case flag
    case texts
    case integers
    case word([String])
    case words([String])
    case object(PartDescription)
    case array(PartDescription)
    case json
    case secret
    case secrets
  }

  /// The member's name in JSON.
  public let name: String
  public let kind: Kind
  /// Whether a request may leave it out, and whether it may be null in an answer.
  public let isOptional: Bool
  /// What it means, in one sentence.
  public let about: String
  /// The part that the member belongs to, when a request or an answer includes a whole part.
  public internal(set) var included: String?
}

/// The members of a part that several operations share.
public struct PartDescription: Sendable, Equatable {
  /// The part's type, for example `Credential`.
  public let name: String
  public let members: [FieldDescription]

  init<Part: Fields>(_ type: Part.Type) { self.init(name: Self.name(of: type), members: FieldVisitor.describe(type)) }

  init(name: String, members: [FieldDescription]) { (self.name, self.members) = (name, members) }

  /// The type's name without the module's name.
  static func name<Part: Fields>(of type: Part.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
  }
}
