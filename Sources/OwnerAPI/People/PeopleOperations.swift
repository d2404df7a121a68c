// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Whether requests show the names that people give themselves in their profiles.
public struct PeopleState: Fields {
  public var showsNames = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("names", &showsNames, "Whether requests show the names that people give themselves in their profiles.")
  }
}

/// Shows whether requests show people's names.
public enum PeopleShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "people/show", "Show whether requests show the names of people.", from: .session)
  public typealias Request = Nothing
  public typealias Response = PeopleState
}

/// Sets whether requests show people's names. While they do, your relays learn which public keys are looked up.
public enum PeopleSet: OwnerOperation {
  public static let properties = OperationProperties.action(
    "people/set", "Set whether requests show the names of people.", from: .session, needsUnlocked: true)
  public typealias Request = PeopleState
  public typealias Response = PeopleState
}
