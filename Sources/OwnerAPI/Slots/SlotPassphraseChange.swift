// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Changes the given passphrase.
public enum SlotPassphraseChange: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/passphrase", "Change the passphrase.", from: .recentSignIn, proof: .always)
  public typealias Response = SlotAnswer

  public struct Request: Fields {
    public var passphrase: SecretBox?
    public var newPassphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.secret("passphrase", &passphrase, "The present passphrase.")
      try fields.secret("new_passphrase", &newPassphrase, "The new passphrase.")
    }
  }
}
