// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// What the owner shows to open the vault, or to prove to be the owner. An operation takes one way, some take several.
public struct Credential: Fields {
  /// The vault's passphrase.
  public var passphrase: SecretBox?
  /// A token's PIN.
  public var pin: SecretBox?
  /// Which token: a `pkcs11:` URI; nil for whichever the vault has.
  public var token: String?
  /// The token's driver, a path on the signer's machine. Not from a browser.
  public var module: String?
  /// The desktop's keyring, which opens no keys and proves nothing.
  public var keyring = false
  /// A passkey's credential id, base64url.
  public var credential: String?
  /// 32 bytes of that passkey's PRF.
  public var prf: SecretBox?
  /// The shares of a recovery kit, one a line.
  public var shares: SecretBox?
  /// The kit's recovery code.
  public var recoveryCode: SecretBox?
  /// The login password, for a token or keyring behind PAM.
  public var login: SecretBox?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.secret("passphrase", &passphrase, "The vault's passphrase.")
    try fields.secret("pin", &pin, "A token's PIN.")
    try fields.textOrTrue("token", &token, "Which token, as a pkcs11: URI; true or nothing for the one that the vault knows.")
    try fields.text("module", &module, "The token's driver: a path on the signer's machine. Not taken from a browser.")
    try fields.flag("keyring", &keyring, "Open with the desktop's keyring. It opens no keys and proves nothing.")
    try fields.text("credential", &credential, "A passkey's credential id, in base64url.")
    try fields.secret("prf", &prf, "32 bytes that this passkey's PRF gave.")
    try fields.secret("shares", &shares, "The shares of a recovery kit, one a line.")
    try fields.secret("recovery_code", &recoveryCode, "The kit's recovery code.")
    try fields.secret("login", &login, "Your login password, where PAM asks for it in front of a token or keyring.")
  }
}
