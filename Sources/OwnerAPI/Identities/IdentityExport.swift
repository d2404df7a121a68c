// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// The format of an exported key.
public enum KeyExportFormat: String, Word {
  /// One line, encrypted with a password (NIP-49).
  case ncryptsec
  /// A JSON file with the identity's words and details, encrypted with a password.
  case file
  /// The key itself, unencrypted.
  case nsec
  /// The words, unencrypted.
  case mnemonic
}

/// Exports a key, encrypted with its own password or unencrypted.
public enum IdentityExport: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/export", "Export a key, encrypted with its own password or unencrypted.", from: .recentSignIn, proof: .always,
    lane: .beside, onDamagedVault: true)

  public struct Request: Fields {
    public var identity = IdentityName()
    /// Nil for `ncryptsec`.
    public var format: KeyExportFormat?
    /// “I understand”, for an unencrypted export.
    public var confirm: String?
    /// 8 bytes or more, for an encrypted export.
    public var password: SecretBox?
    /// 16 to 22; nil for 16.
    public var logN: Int64?
    /// Nil for what is known about the key.
    public var security: KeySecurity?
    public var hint: String?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.word("format", &format, "The format of the export (ncryptsec).")
      try fields.text("confirm", &confirm, "The text “I understand”, which nsec and mnemonic require.")
      try fields.secret("password", &password, "A new password for the copy, 8 bytes or more; ncryptsec and file require one.")
      try fields.integer("log_n", &logN, "For ncryptsec: each guess at the password costs 2 to this power KiB, 16 to 22 (16).")
      try fields.word("security", &security, "For ncryptsec: what it says about the key's past; without it, what is known.")
      try fields.text("hint", &hint, "For file: a reminder of the password, which anybody can read.")
      try fields.include(&credential)
    }
  }

  /// The identity, and the members of the format.
  public struct Response: Fields {
    public var name = ""
    public var npub = ""
    public var format = KeyExportFormat.ncryptsec
    /// For `ncryptsec`, like `logN` and `security`.
    public var ncryptsec: String?
    public var logN: Int64?
    public var security: KeySecurity?
    /// For `file`, like `hint`: the text of the file.
    public var file: String?
    /// May be empty.
    public var hint: String?
    /// For `nsec`.
    public var nsec: SecretBox?
    /// For `mnemonic`, like `account` and `hasWordsPassphrase`.
    public var words: SecretBox?
    /// Counted from 0 (NIP-06); nil when unknown.
    public var account: Int64?
    public var hasWordsPassphrase: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("name", &name, "The identity's name.")
      try fields.anyText("npub", &npub, "Its public key as an npub.")
      try fields.word("format", &format, "The format of the copy. The members that follow depend on it.")
      try fields.leftOut.text("ncryptsec", &ncryptsec, "The encrypted key.")
      try fields.leftOut.integer("log_n", &logN, "Each guess at its password costs 2 to this power KiB.")
      try fields.leftOut.word("security", &security, "What it says about the key's past.")
      try fields.leftOut.text("file", &file, "The text of the encrypted file.")
      try fields.leftOut.text("hint", &hint, "The reminder of its password; empty for none.")
      try fields.secret("nsec", &nsec, "The key, unencrypted.")
      try fields.secret("words", &words, "The words, unencrypted.")
      if format == .mnemonic || fields.mode == .describing {
        try fields.integer("account", &account, "The account of the words that is this key; null when unknown.")
      }
      try fields.leftOut.flag("words_passphrase", &hasWordsPassphrase, "Whether the words give the key only with a passphrase.")
    }
  }
}
