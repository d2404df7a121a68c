// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A recovery kit, as the vault stores it. Its shares are not stored anywhere.
public struct KitSummary: Fields {
  /// The name of an identity, or “vault”.
  public var restores = ""
  /// Nil for a kit of the vault.
  public var npub: String?
  /// Nil for a kit of several groups.
  public var threshold: Int64?
  public var shares: Int64 = 0
  /// Nil for a kit that contains no words.
  public var account: Int64?
  /// Four hex digits.
  public var id = ""
  public var groupThreshold: Int64 = 1
  /// Each as [needed, count].
  public var groups: [[Int64]] = []
  /// May be empty.
  public var label = ""
  /// Seconds since 1970.
  public var made: Int64 = 0
  /// Seconds since 1970; nil for never.
  public var lastTested: Int64?
  public var hasCode = false
  public var isHandedOut = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("for", &restores, "The name of the identity that it restores; “vault” for the whole vault.")
    try fields.text("npub", &npub, "The identity's public key as an npub; null for a kit of the vault.")
    try fields.integer("threshold", &threshold, "How many shares are needed; null for a kit of several groups.")
    try fields.integer("shares", &shares, "How many shares there are.")
    try fields.integer("account", &account, "The account of the words (NIP-06) in the shares; null when they contain none.")
    try fields.anyText("id", &id, "The kit's number, four hex digits.")
    try fields.integer("group_threshold", &groupThreshold, "How many of the groups are needed.")
    try fields.integerLists("groups", &groups, "For each group, how many shares are needed and how many there are.")
    try fields.anyText("label", &label, "The owner's name for it; may be empty.")
    try fields.integer("made", &made, "When it was made, in seconds since 1970.")
    try fields.integer("last_tested", &lastTested, "When its shares were last tested, in seconds since 1970; null for never.")
    try fields.flag("code", &hasCode, "Whether its recovery code is needed in addition to the shares.")
    try fields.flag("handed_out", &isHandedOut, "Whether its shares have been handed out, as far as known.")
  }
}

/// What the shares of a kit contain.
public enum KitContent: String, Word {
  /// A secret that opens the vault.
  case vault
  /// A secret key.
  case key
  /// The entropy of words.
  case words
}

/// A new kit, with the texts of its pages.
public struct KitDetail: Fields {
  public var summary = KitSummary()
  public var content = KitContent.vault
  public var holds = ""
  public var steps: [KitStep] = []
  public var elsewhere = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&summary)
    try fields.word("kind", &content, "What the shares contain: the vault's secret, a key, or words.")
    try fields.anyText("holds", &holds, "The same in words.")
    try fields.objects("steps", &steps, "The steps to restore it, in order.")
    try fields.anyText("elsewhere", &elsewhere, "What another program restores from the shares.")
  }
}

/// One step of restoring a kit's content.
public struct KitStep: Fields {
  public var text = ""
  /// Nil for a step without a command.
  public var command: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("text", &text, "What to do.")
    try fields.text("command", &command, "The command to run; null for none.")
  }
}
