// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Makes a new identity with new words.
public enum IdentityCreate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/create", "Make a new identity with new words.", from: .session, proof: .sometimes, needsUnlocked: true)
  public typealias Response = IdentitySummary

  public struct Request: Fields {
    public var identity = IdentityDraft()
    /// 12, 15, 18, 21 or 24; nil for 12.
    public var wordCount: Int64?
    public var wordsPassphrase: SecretBox?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.integer("word_count", &wordCount, "How many words: 12, 15, 18, 21 or 24 (12).")
      try fields.secret("words_passphrase", &wordsPassphrase, "A passphrase for the words, the “25th word”. It is not stored.")
      try fields.include(&credential)
    }
  }
}

/// Imports a key.
public enum IdentityImport: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/import", "Import a key: an nsec, an ncryptsec, hex digits, words, or another signer's export.", from: .recentSignIn,
    proof: .sometimes, needsUnlocked: true)
  public typealias Response = IdentitySummary

  public struct Request: Fields {
    public var identity = IdentityDraft()
    /// The signer detects the format of the text. Nil is an error.
    public var key: SecretBox?
    public var password: SecretBox?
    public var wordsPassphrase: SecretBox?
    /// Counted from 0 (NIP-06); nil for 0.
    public var account: Int64?
    /// A number counted from 1, a name or an npub; nil when the text contains one key.
    public var pick: String?
    /// Imports the key although everybody knows it.
    public var isPublicAccepted = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.secret("key", &key, "The key: an nsec, 64 hex digits, an ncryptsec, words, or the text of a file.")
      try fields.secret("password", &password, "The password of an encrypted key.")
      try fields.secret("words_passphrase", &wordsPassphrase, "The passphrase of the words, the “25th word”.")
      try fields.integer("account", &account, "Which account of the words, counted from 0 (0).")
      try fields.text("pick", &pick, "Which key of a file with several: its number counted from 1, its name there, or its npub.")
      try fields.flag(
        "accept_public", &isPublicAccepted, "Import the key even if everybody knows it, as an example of a standard.")
      try fields.include(&credential)
    }
  }
}

/// Makes another account of words that are stored here.
public enum IdentityDerive: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/derive", "Make another account of words that are stored here.", from: .session, proof: .sometimes,
    needsUnlocked: true)
  public typealias Response = IdentitySummary

  public struct Request: Fields {
    /// An identity from the words, by its name or public key.
    public var from = ""
    public var identity = IdentityDraft()
    /// Counted from 0 (NIP-06); nil for the one after the highest that is here.
    public var account: Int64?
    public var wordsPassphrase: SecretBox?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("from", &from, "An identity from the words: its name or public key (npub or hex).")
      try fields.include(&identity)
      try fields.integer(
        "account", &account, "Which account, counted from 0; without it, the one after the highest that is here.")
      try fields.secret("words_passphrase", &wordsPassphrase, "The passphrase of the words, the “25th word”.")
      try fields.include(&credential)
    }
  }
}

/// Stores a key that a search found, or checks whether it could be stored.
public enum IdentityVanity: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/vanity", "Store a key that a search found, or check whether one of that name could be stored.",
    from: .controlSocket, needsUnlocked: true)

  public struct Request: Fields {
    /// 1 to 64 bytes, different from all other identities' names.
    public var name = ""
    /// 32 bytes; nil to only check whether a key could be stored.
    public var key: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("name", &name, "A name for the new identity.")
      try fields.secret("key", &key, "The key, 32 bytes; without it, nothing is stored.")
    }
  }

  /// One of the two.
  public struct Response: Fields {
    /// True when no key was given, and one could be stored.
    public var isReady: Bool?
    /// The new identity, when a key was given.
    public var identity: IdentitySummary?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.leftOut.flag("ready", &isReady, "True when no key was given, and one could be stored.")
      try fields.part(&identity, knownBy: "npub")
    }
  }
}
