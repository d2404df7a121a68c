// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where an identity's key came from.
public enum IdentityOrigin: String, Word {
  case created
  case importedNsec = "imported-nsec"
  case importedHex = "imported-hex"
  case importedNcryptsec = "imported-ncryptsec"
  case importedMnemonic = "imported-mnemonic"
  case importedKeyFile = "imported-key-file"
  /// Another account of words that are here.
  case derived
  case importedAmber = "imported-amber"
  case importedNos2xFox = "imported-nos2x-fox"
  case importedNsecBunker = "imported-nsecbunker"
  case importedKeep = "imported-keep"
  /// Found by a search for a key with a chosen beginning or end.
  case vanity
  /// Made to replace another identity's key.
  case rotated
}

/// What an ncryptsec says about its key's past (NIP-49).
public enum KeySecurity: String, Word {
  case handledInsecurely = "handled-insecurely"
  case notKnownInsecure = "not-known-insecure"
  case untracked
}

/// An identity without its secret key.
public struct IdentitySummary: Fields {
  public var name = ""
  public var npub = ""
  /// 64 hex digits.
  public var pubkey = ""
  public var isDefault = false
  public var origin = IdentityOrigin.created
  /// Seconds since 1970.
  public var created: Int64 = 0
  public var protection = KeyProtection.whenUnlocked
  /// Whether another key replaced its key. It is refused for everything.
  public var isRetired = false
  /// The account of its words (NIP-06), counted from 0; nil for a key without words.
  public var account: Int64?
  /// Whether its words are here.
  public var hasWords = false
  /// Whether the words have a passphrase (the “25th word”). The passphrase is not stored.
  public var hasWordsPassphrase = false
  /// The names of other identities from the same words.
  public var sameWords: [String] = []
  public var keySecurity = KeySecurity.untracked
  /// `#rrggbb`; nil for none.
  public var colour: String?
  public var emoji: String?
  public var relays: [String] = []
  public var notes = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The owner's name for it.")
    try fields.anyText("npub", &npub, "Its public key as an npub.")
    try fields.anyText("pubkey", &pubkey, "Its public key, 64 hex digits.")
    try fields.flag("default", &isDefault, "Whether it is used when no identity is named.")
    try fields.word("origin", &origin, "Where its key came from.")
    try fields.integer("created", &created, "When it was added here, in seconds since 1970.")
    try fields.word("class", &protection, "When its key can be used, and whether it is bound to this device.")
    try fields.flag("retired", &isRetired, "Whether another key replaced its key.")
    try fields.integer("account", &account, "The account of its words, counted from 0; null for a key without words.")
    try fields.flag("words", &hasWords, "Whether its words are here.")
    try fields.flag("words_passphrase", &hasWordsPassphrase, "Whether the words have a passphrase.")
    try fields.texts("same_words", &sameWords, "The names of other identities from the same words.")
    try fields.word("key_security", &keySecurity, "What an ncryptsec of it says about the key's past.")
    try fields.text("colour", &colour, "Its colour as #rrggbb; null for none.")
    try fields.text("emoji", &emoji, "Its emoji; null for none.")
    try fields.texts("relays", &relays, "The relays that it writes to.")
    try fields.anyText("notes", &notes, "The owner's notes.")
  }
}
