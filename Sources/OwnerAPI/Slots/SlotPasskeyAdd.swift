// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Lets a passkey open the vault. The console checks the passkey's signed answer and fills in its parts.
public enum SlotPasskeyAdd: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/passkey-add", "Let a passkey open the vault.", from: .recentSignIn, proof: .always)

  public struct Request: Fields {
    /// The new passkey's credential id, base64url. A browser sends the passkey's signed answer instead.
    public var passkey = ""
    /// The input of its PRF, base64url.
    public var salt = ""
    /// The host that the passkey belongs to.
    public var host = ""
    public var label = ""
    /// The output of its PRF for the salt, 32 bytes.
    public var newOutput: SecretBox?
    public var isLossAccepted = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("passkey", &passkey, "The new passkey's credential id, in base64url.")
      try fields.text("salt", &salt, "The input of its PRF, in base64url.")
      try fields.text("party", &host, "The host that the passkey belongs to.")
      try fields.text("label", &label, "Your name for it.")
      try fields.secret("new_prf", &newOutput, "The 32-byte output of the passkey's PRF for the salt.")
      try fields.flag("accept_loss", &isLossAccepted, "Continue even if one more passkey loses keys permanently.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var slot = SlotSummary()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("slot", &slot, "The new slot.")
    }
  }
}
