// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Sets the passphrase anew, proven by the present one or by another credential that opens as much.
public enum SlotPassphraseChange: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/passphrase", "Change the passphrase.", from: .recentSignIn, proof: .always)
  public typealias Response = SlotAnswer

  public struct Request: Fields {
    /// The present passphrase, or another proof.
    public var credential = Credential()
    public var newPassphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&credential)
      try fields.secret("new_passphrase", &newPassphrase, "The new passphrase.")
    }
  }
}
