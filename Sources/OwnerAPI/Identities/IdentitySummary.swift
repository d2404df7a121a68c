// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// How an identity's key came here.
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
  /// Found by a search for a key with a wanted beginning or end.
  case vanity
  /// Made to succeed another identity's key.
  case rotated
}

/// What an ncryptsec says of its key's past (NIP-49).
public enum KeySecurity: String, Word {
  case handledInsecurely = "handled-insecurely"
  case notKnownInsecure = "not-known-insecure"
  case untracked
}

/// An identity without its key.
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
  /// Whether another key took its place: it is refused for everything.
  public var isRetired = false
  /// The account of its words (NIP-06), from 0; nil for a key that came without words.
  public var account: Int64?
  /// Whether its words are here.
  public var hasWords = false
  /// Whether a passphrase (the “25th word”) went into the words. It is not kept.
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
    try fields.anyText("name", &name, "What the owner calls it.")
    try fields.anyText("npub", &npub, "Its public key as an npub.")
    try fields.anyText("pubkey", &pubkey, "Its public key, 64 hex digits.")
    try fields.flag("default", &isDefault, "Whether it is used where no identity is named.")
    try fields.word("origin", &origin, "How its key came here.")
    try fields.integer("created", &created, "When it came here, in seconds since 1970.")
    try fields.word("class", &protection, "When its key can be used, and whether it is bound to this device.")
    try fields.flag("retired", &isRetired, "Whether another key took its place.")
    try fields.integer("account", &account, "The account of its words, from 0; null for a key that came without words.")
    try fields.flag("words", &hasWords, "Whether its words are here.")
    try fields.flag("words_passphrase", &hasWordsPassphrase, "Whether a passphrase went into the words.")
    try fields.texts("same_words", &sameWords, "The names of other identities from the same words.")
    try fields.word("key_security", &keySecurity, "What an ncryptsec of it says of the key's past.")
    try fields.text("colour", &colour, "Its colour as #rrggbb; null for none.")
    try fields.text("emoji", &emoji, "Its emoji; null for none.")
    try fields.texts("relays", &relays, "The relays that it writes to.")
    try fields.anyText("notes", &notes, "The owner's notes.")
  }
}
