// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Gives a share to a guardian.
public enum GuardianAdd: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/add", "Give a share of a kit to a guardian.", from: .recentSignIn, home: .running)

  public struct Request: Fields {
    /// An npub or 64 hex digits.
    public var npub = ""
    /// The words of one share.
    public var share: SecretBox?
    /// The same under another name, read only when the first is missing.
    public var shares: SecretBox?
    /// The number of the kit that the share must belong to, four hex digits.
    public var kit: String?
    /// 1 second to 30 days; nil for three days.
    public var delay: Int64?
    public var identity: String?
    /// At most 8.
    public var relays: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("npub", &npub, "The guardian's public key, as an npub or 64 hex digits.")
      try fields.secret("share", &share, "The words of the share.")
      try fields.secret("shares", &shares, "The same, under another name.")
      try fields.text("kit", &kit, "The number of the kit that the share must belong to, four hex digits.")
      try fields.integer("delay", &delay, "How long a requester has to wait for the share, in seconds; without it, three days.")
      try fields.text("identity", &identity, "The identity that sends it; without it, the default one.")
      try fields.texts("relays", &relays, "Up to 8 relays that the guardian uses; without them, the signer's own.")
    }
  }

  public struct Response: Fields {
    public var guardian = GuardianSummary()
    /// Nil when there is none.
    public var code: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&guardian)
      try fields.leftOut.text("code", &code, "The kit's request code, to keep with your papers.")
    }
  }
}
