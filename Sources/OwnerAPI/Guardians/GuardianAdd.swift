// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Hands a share to a guardian.
public enum GuardianAdd: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/add", "Hand a share of a kit to a guardian.", from: .recentSignIn, home: .running)

  public struct Request: Fields {
    /// As npub or 64 hex digits.
    public var npub = ""
    /// The words of one share.
    public var share: SecretBox?
    /// The same under another name; only looked at without the first.
    public var shares: SecretBox?
    /// The kit that the share must be of, four hex digits.
    public var kit: String?
    /// 1 second to 30 days; nil for three days.
    public var delay: Int64?
    public var identity: String?
    /// At most 8.
    public var relays: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("npub", &npub, "The guardian's public key, as npub or 64 hex digits.")
      try fields.secret("share", &share, "The words of the share.")
      try fields.secret("shares", &shares, "The same under another name.")
      try fields.text("kit", &kit, "The number of the kit that it must be of, four hex digits.")
      try fields.integer("delay", &delay, "How long whoever asks for it has to wait, in seconds; without it three days.")
      try fields.text("identity", &identity, "The identity that sends it; without it the default one.")
      try fields.texts("relays", &relays, "Up to 8 relays where the guardian listens; without them the signer's own.")
    }
  }

  public struct Response: Fields {
    public var guardian = GuardianSummary()
    /// Nil where none goes with it.
    public var code: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&guardian)
      try fields.leftOut.text("code", &code, "The kit's request code, to keep with your papers.")
    }
  }
}
