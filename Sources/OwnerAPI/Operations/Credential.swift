// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// What the owner presents to open the vault, or as a proof. An operation accepts one kind, some accept several.
public struct Credential: Fields {
  /// The vault's passphrase.
  public var passphrase: SecretBox?
  /// A token's PIN.
  public var pin: SecretBox?
  /// The token, as a `pkcs11:` URI; nil for the one that the vault knows.
  public var token: String?
  /// The token's driver, a path on the signer's machine. Not from a browser.
  public var module: String?
  /// The desktop's keyring, which opens only keys of the class after-first-unlock, and is not a proof.
  public var keyring = false
  /// A passkey's credential id, base64url.
  public var credential: String?
  /// The 32-byte output of that passkey's PRF.
  public var prf: SecretBox?
  /// The shares of a recovery kit, one per line.
  public var shares: SecretBox?
  /// The kit's recovery code.
  public var recoveryCode: SecretBox?
  /// The login password, if PAM asks for it before a token or keyring.
  public var login: SecretBox?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.secret("passphrase", &passphrase, "The vault's passphrase.")
    try fields.secret("pin", &pin, "A token's PIN.")
    try fields.textOrTrue("token", &token, "The token, as a pkcs11: URI; true or nothing for the one that the vault knows.")
    try fields.text("module", &module, "The token's driver: a path on the signer's machine. Not accepted from a browser.")
    try fields.flag(
      "keyring", &keyring,
      "Open the vault with the desktop's keyring. It opens only keys of the class after-first-unlock, and is not a proof.")
    try fields.text("credential", &credential, "A passkey's credential id, in base64url.")
    try fields.secret("prf", &prf, "The 32-byte output of this passkey's PRF.")
    try fields.secret("shares", &shares, "The shares of a recovery kit, one per line.")
    try fields.secret("recovery_code", &recoveryCode, "The kit's recovery code.")
    try fields.secret("login", &login, "Your login password, if PAM asks for it before a token or keyring.")
  }
}
