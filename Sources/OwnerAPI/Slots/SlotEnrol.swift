// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lets the present passkeys and fingers open what was closed when one was added or removed.
public enum SlotEnrol: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/enrol", "Let today's passkeys open keys of the class biometric-required.", from: .recentSignIn,
    proof: .always)

  public struct Request: Fields {
    public var isDiscarding = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("discard", &isDiscarding, "Permanently remove what nobody can open any more.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var enrolled: [KeyProtection] = []
    public var closed: [KeyProtection] = []
    public var lost: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.words("enrolled", &enrolled, "The classes that today's passkeys open now.")
      try fields.words("closed", &closed, "The classes that stay closed.")
      try fields.texts("lost", &lost, "The names of identities whose keys were removed.")
    }
  }
}
