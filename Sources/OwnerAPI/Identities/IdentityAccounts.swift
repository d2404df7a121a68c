// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// An account of an identity's words that relays know or that is here.
public struct WordsAccount: Fields {
  /// Counted from 0 (NIP-06).
  public var account: Int64 = 0
  public var npub = ""
  /// 64 hex digits.
  public var pubkey = ""
  /// Whether a relay has an event of it.
  public var isFound = false
  /// The name of the identity here that has this key; nil when none has.
  public var here: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("account", &account, "The account's number, counted from 0.")
    try fields.anyText("npub", &npub, "Its public key as an npub.")
    try fields.anyText("pubkey", &pubkey, "Its public key, 64 hex digits.")
    try fields.flag("found", &isFound, "Whether a relay has an event of this key.")
    try fields.text("here", &here, "The identity here that has this key; null when none has.")
  }
}

/// Finds the used accounts of an identity's words.
public enum IdentityAccounts: OwnerOperation {
  public static let properties = OperationProperties(
    name: "identity/accounts",
    about: "Ask relays which accounts of an identity's words were used.", access: .session, proof: .sometimes, isReadOnly: true,
    isActivity: false, isForDamagedVault: true)

  public struct Request: Fields {
    public var identity = IdentityName()
    /// Empty for the identity's known relays.
    public var relays: [String] = []
    public var wordsPassphrase: SecretBox?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.texts("relays", &relays, "The relays to ask; without any, the identity's known relays.")
      try fields.secret("words_passphrase", &wordsPassphrase, "The passphrase of the words, the “25th word”.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var accounts: [WordsAccount] = []
    /// This many unknown accounts in a row end the search.
    public var gapLimit: Int64 = 0
    public var searched: Int64 = 0
    public var relays: [String] = []
    public var unreachable: [RelayFault] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("accounts", &accounts, "The accounts that a relay knows or that are here.")
      try fields.integer("gap_limit", &gapLimit, "How many unknown accounts in a row end the search.")
      try fields.integer("searched", &searched, "How many accounts were searched.")
      try fields.texts("relays", &relays, "The relays that were asked.")
      try fields.objects("unreachable", &unreachable, "The relays that could not be read.")
    }
  }
}
