// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Checks the vault's passphrase and changes nothing. A browser that gave the right one counts as just signed in.
public enum SessionProve: OwnerOperation {
  public static let properties = OperationProperties.action(
    "session/prove", "Prove with the passphrase that it is you: then a browser's sign-in counts as recent.", from: .session,
    proof: .always, home: .running)

  public struct Request: Fields {
    public var passphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.secret("passphrase", &passphrase, "The vault's passphrase. No other credential is accepted.")
    }
  }

  public struct Response: Fields {
    public var isProven = true
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("proven", &isProven, "True: a wrong passphrase is an error.")
    }
  }
}
