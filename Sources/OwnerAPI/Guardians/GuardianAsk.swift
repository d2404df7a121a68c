// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Requests a share from a guardian, on a new machine.
public enum GuardianAsk: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/ask", "Request your share from a guardian, on a new machine.", from: .controlSocket, home: .running)
  public typealias Response = ShareRequestSummary

  public struct Request: Fields {
    /// An npub or 64 hex digits.
    public var npub = ""
    /// Four hex digits.
    public var kit = ""
    public var identity: String?
    /// The kit's request code. It gives no access by itself.
    public var code: String?
    /// Shortened to 200 bytes.
    public var note: String?
    /// At most 8.
    public var relays: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("npub", &npub, "The guardian's public key, as an npub or 64 hex digits.")
      try fields.text("kit", &kit, "The kit's number, four hex digits.")
      try fields.text("identity", &identity, "The identity that sends the request; without it, the default one.")
      try fields.text("code", &code, "The kit's request code, sixteen letters and digits.")
      try fields.text("note", &note, "A line for the guardian, shortened to 200 bytes.")
      try fields.texts("relays", &relays, "Up to 8 relays that the guardian uses; without them, the signer's own.")
    }
  }
}
