// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// The types of slots that can be made without a browser.
public enum NewSlotKind: String, Word { case passphrase, token, keyring }

/// Adds a way to open the vault: a passphrase, a token, or the desktop's keyring.
public enum SlotAdd: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/add", "Add a way to open the vault: a passphrase, a token, or the desktop's keyring.", from: .recentSignIn,
    proof: .always)

  public struct Request: Fields {
    public var kind = NewSlotKind.passphrase
    /// At most 64 bytes.
    public var label: String?
    public var pamService: String?
    /// For the keyring: the item is returned, and stored nowhere. Not from a browser.
    public var givesItem: Bool?
    public var newPassphrase: SecretBox?
    public var newPIN: SecretBox?
    /// The new token as a `pkcs11:` URI; nil when there is only one.
    public var newToken: String?
    /// The new token's driver, a path on the signer's machine. Not from a browser.
    public var newModule: String?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.word("type", &kind, "The type of the new slot.")
      try fields.text("label", &label, "Your name for it, at most 64 bytes.")
      try fields.text("gate", &pamService, "The PAM service to ask first, for a token or the keyring.")
      try fields.flag(
        "item", &givesItem,
        "For the keyring: return its item instead of storing it there, such as for a systemd credential. Not accepted from a browser."
      )
      try fields.secret("new_passphrase", &newPassphrase, "The passphrase of a new passphrase slot.")
      try fields.secret("new_pin", &newPIN, "The PIN of the new token.")
      try fields.text("new_token", &newToken, "The new token, as a pkcs11: URI; without it, the only one there is.")
      try fields.text(
        "new_module", &newModule, "The new token's driver: a path on the signer's machine. Not accepted from a browser.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var slot = Slot()
    /// Only if it was asked for.
    public var item: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("slot", &slot, "The new slot.")
      try fields.secret("item", &item, "The slot's item in base64, 48 bytes, if it was asked for.")
    }
  }
}
