// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Reads the messages of an identity whose key requires the owner's proof, for a limited time.
public enum GuardianOpen: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/open", "Read the messages of an identity whose key requires your proof, for a limited time.", from: .recentSignIn,
    proof: .always, home: .running)

  public struct Request: Fields {
    public var identity: String?
    /// 1 to 3600; nil for 600.
    public var seconds: Int64?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("identity", &identity, "The identity; without it, the default one.")
      try fields.integer("seconds", &seconds, "For how many seconds, 1 to 3600; without it, 600.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var identity = ""
    public var seconds: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("identity", &identity, "The identity's name.")
      try fields.integer("seconds", &seconds, "For how many seconds its messages can be read.")
    }
  }
}

/// Shows a kit's request code, and sends it to the kit's guardians.
public enum GuardianCode: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/code", "Show a kit's request code, and send it to its guardians.", from: .recentSignIn, home: .running)

  public struct Request: Fields {
    /// Four hex digits.
    public var kit = ""
    public var isNew = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("kit", &kit, "The kit's number, four hex digits.")
      try fields.flag("new", &isNew, "Make another code, which replaces the previous one.")
    }
  }

  public struct Response: Fields {
    public var kit = ""
    public var code = ""
    public var guardians: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("kit", &kit, "The kit's number.")
      try fields.anyText("code", &code, "Sixteen letters and digits. They give no access by themselves.")
      try fields.integer("guardians", &guardians, "How many guardians it is sent to.")
    }
  }
}
