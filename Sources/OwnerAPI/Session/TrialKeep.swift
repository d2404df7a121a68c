// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Keeps a trial: moves it into a vault of the owner's. The signer then restarts there by itself.
public enum TrialKeep: OwnerOperation {
  public static let properties = OperationProperties.action(
    "trial/keep",
    "Keep a trial: move its keys, apps, rules and log into a vault of your own. The signer then restarts on that vault.",
    from: .recentSignIn, home: .running, lane: .beside)

  public struct Request: Fields {
    public var home: String?
    public var newPassphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text(
        "home", &home, "The new vault's folder, an absolute path; null for the usual one. Only on the signer's machine.")
      try fields.secret("new_passphrase", &newPassphrase, "The new vault's passphrase.")
    }
  }

  public struct Response: Fields {
    public var home = ""
    public var start = ""
    public var signIn: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("home", &home, "The new vault's folder.")
      try fields.text("start", &start, "The command that starts the signer next time, with the options of this trial.")
      try fields.text(
        "sign_in", &signIn, "For a browser: what signs it in once after the restart, within ten minutes. Null for a command.")
    }
  }
}
