// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A recovery kit, as the vault notes it. Its shares are noted nowhere.
public struct KitSummary: Fields {
  /// The name of an identity, or “vault”.
  public var restores = ""
  /// Nil for a kit of the vault.
  public var npub: String?
  /// Nil for a kit of several groups.
  public var threshold: Int64?
  public var shares: Int64 = 0
  /// Nil for a kit that holds no words.
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
    try fields.anyText("for", &restores, "The identity that it restores, by name; “vault” for all of the vault.")
    try fields.text("npub", &npub, "The identity's public key, as npub; null for a kit of the vault.")
    try fields.integer("threshold", &threshold, "How many shares are needed; null for a kit of several groups.")
    try fields.integer("shares", &shares, "How many shares there are.")
    try fields.integer("account", &account, "The account of the words (NIP-06) that the shares hold; null where they hold none.")
    try fields.anyText("id", &id, "The kit's number, four hex digits.")
    try fields.integer("group_threshold", &groupThreshold, "How many of the groups are needed.")
    try fields.integerLists("groups", &groups, "For each group how many shares are needed, and how many there are.")
    try fields.anyText("label", &label, "What the owner calls it; may be empty.")
    try fields.integer("made", &made, "When it was made, in seconds since 1970.")
    try fields.integer("last_tested", &lastTested, "When its shares were last tested, in seconds since 1970; null for never.")
    try fields.flag("code", &hasCode, "Whether its recovery code is needed beside the shares.")
    try fields.flag("handed_out", &isHandedOut, "Whether its shares reached somebody, as far as is known.")
  }
}

/// What the shares of a kit give when they are put together.
public enum KitContent: String, Word {
  /// A secret that opens the vault.
  case vault
  /// A secret key.
  case key
  /// The entropy of words.
  case words
}

/// A kit that was just made, with what its pages say.
public struct KitDetail: Fields {
  public var summary = KitSummary()
  public var content = KitContent.vault
  public var holds = ""
  public var steps: [KitStep] = []
  public var elsewhere = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&summary)
    try fields.word("kind", &content, "What the shares give: the vault's secret, a key, or words.")
    try fields.anyText("holds", &holds, "The same in words.")
    try fields.objects("steps", &steps, "How to bring it back, in order.")
    try fields.anyText("elsewhere", &elsewhere, "What another program makes of the shares.")
  }
}

/// One step of bringing a kit's content back.
public struct KitStep: Fields {
  public var text = ""
  /// Nil for a step without one.
  public var command: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("text", &text, "What to do.")
    try fields.text("command", &command, "The command to run; null for none.")
  }
}
