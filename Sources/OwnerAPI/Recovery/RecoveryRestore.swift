// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Restores one identity from shares; or, without a name, opens the vault with them and sets a new passphrase.
public enum RecoveryRestore: OwnerOperation {
  public static let properties = OperationProperties.action(
    "recovery/restore", "Restore one identity from shares, or set a new passphrase with them.", from: .controlSocket)

  public struct Request: Fields {
    public var shares = KitShares()
    /// The identity's new name; nil restores the vault.
    public var name: String?
    /// The key that the shares must contain.
    public var npub: String?
    public var account: Int64?
    public var areWords = false
    /// The owner confirms that the key is the right one, when nothing else identifies it.
    public var isAccepted = false
    /// For the vault.
    public var newPassphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&shares)
      try fields.text("name", &name, "The identity's new name; without it, the vault is restored.")
      try fields.text("npub", &npub, "The public key that the shares must restore, as an npub or 64 hex digits.")
      try fields.integer("account", &account, "The account of the words (NIP-06), below 2147483648.")
      try fields.flag("words", &areWords, "The shares contain the entropy of words and not a key.")
      try fields.flag(
        "accept", &isAccepted, "Store the key even if nothing else identifies it, when the shares can give one key only.")
      try fields.secret("new_passphrase", &newPassphrase, "The vault's new passphrase.")
    }
  }

  public struct Response: Fields {
    /// The name of an identity, or “vault”.
    public var restored = ""
    /// Nil for the vault.
    public var npub: String?
    public var kit = ""
    /// Nil for the vault.
    public var isCompared: Bool?
    /// Counted from 1.
    public var leftOut: [Int64] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("restored", &restored, "The restored identity's name; “vault” for the vault.")
      try fields.leftOut.text("npub", &npub, "The identity's public key as an npub.")
      try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
      try fields.leftOut.flag("compared", &isCompared, "Whether the key was compared with an npub or with the kit's record.")
      try fields.integers("left_out", &leftOut, "Which shares did not match and were left out, counted from 1.")
    }
  }
}
