// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Returns the shares that guardians gave back.
public enum GuardianShares: OwnerOperation {
  public static let properties: OperationProperties = {
    var properties = OperationProperties.look(
      "guardian/shares", "Return the shares that guardians gave back.", from: .controlSocket)
    properties.proof = .always
    return properties
  }()

  public struct Request: Fields {
    /// Four hex digits; nil for every kit.
    public var kit: String?
    /// The guardian, as an npub or 64 hex digits; nil for every guardian.
    public var npub: String?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("kit", &kit, "Only the shares of this kit.")
      try fields.text("npub", &npub, "Only the shares from this guardian, as an npub or 64 hex digits.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var shares: [SecretBox] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.secrets("shares", &shares, "The words of each share.")
    }
  }
}
