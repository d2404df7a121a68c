// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A secret in the vault: a key, or its words.
public struct StoredSecret: Fields {
  /// Which of the two.
  public enum What: String, Word { case key, words }

  public var what = What.key
  /// The folder of the vault.
  public var place = ""
  public var protection = KeyProtection.whenUnlocked
  public var isDeviceBound = false
  /// In words, such as “while unlocked”.
  public var inMemory = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("what", &what, "Which secret is stored.")
    try fields.anyText("where", &place, "The folder of the vault.")
    try fields.word("class", &protection, "The class that it is encrypted under.")
    try fields.flag("device_bound", &isDeviceBound, "Whether a copy of the folder does not open it on another machine.")
    try fields.anyText("in_memory", &inMemory, "When it is unencrypted in the signer's memory, in words.")
  }
}

/// A slot that opens a key.
public struct KeyOpener: Fields {
  /// The slot's id.
  public var slot: Int64 = 0
  public var label = ""
  public var kind = SlotKind.passphrase
  /// Seconds since 1970; nil for never. The same holds for the next two.
  public var lastUsed: Int64?
  public var lastTested: Int64?
  /// The later of the two times.
  public var lastWorked: Int64?
  /// The PAM service that is asked first; nil for none.
  public var pamService: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("slot", &slot, "The slot's id.")
    try fields.anyText("label", &label, "The owner's name for it; may be empty.")
    try fields.word("type", &kind, "The type of credential that opens it.")
    try fields.integer("last_used", &lastUsed, "When it last opened the vault, in seconds since 1970; null for never.")
    try fields.integer("last_tested", &lastTested, "When it was last tested, in seconds since 1970; null for never.")
    try fields.integer("last_worked", &lastWorked, "The later of the two times; null for never.")
    try fields.text("gate", &pamService, "The PAM service that is asked first; null for none.")
  }
}

/// Something that restores a key without this machine's files.
public struct KeyRebuild: Fields {
  /// The type.
  public enum What: String, Word {
    case recoveryKit = "recovery kit"
    case words
    case guardians
    /// A backup of the vault, for whoever opens it.
    case backup
    /// A copy that was exported.
    case exportedCopy = "exported copy"
  }

  public var what = What.recoveryKit
  /// A recovery kit's id, like the next four members.
  public var kit: String?
  /// An identity's name, or `vault`.
  public var kitFor: String?
  /// How many shares are needed; nil for a kit of groups.
  public var threshold: Int64?
  public var shares: Int64?
  /// Whether the words need a passphrase, which is not stored. For words, like the next two members.
  public var hasPassphrase: Bool?
  /// When they were last exported, in seconds since 1970; nil for never.
  public var lastShown: Int64?
  /// Always `unknown`.
  public var onPaper: String?
  /// How many guardians have shares.
  public var count: Int64?
  /// Where the backup schedule stored it, for a backup; nil if the schedule made none.
  public var place: String?
  /// When it was last tested, in seconds since 1970; nil for never.
  public var lastTested: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("what", &what, "The type. The members that follow depend on it.")
    try fields.leftOut.text("kit", &kit, "A recovery kit's id.")
    try fields.leftOut.text("for", &kitFor, "The identity that the kit is for, or vault.")
    if what == .recoveryKit || fields.mode == .describing {
      try fields.integer("threshold", &threshold, "How many shares are needed; null for a kit of groups.")
    }
    try fields.leftOut.integer("shares", &shares, "How many shares there are.")
    try fields.leftOut.flag("passphrase", &hasPassphrase, "Whether the words need a passphrase, which is not stored.")
    if what == .words || fields.mode == .describing {
      try fields.integer("last_shown", &lastShown, "When the words were last exported, in seconds since 1970; null for never.")
    }
    try fields.leftOut.text("on_paper", &onPaper, "Whether the words are on paper: always unknown.")
    try fields.leftOut.integer("count", &count, "How many guardians have shares.")
    try fields.leftOut.text("where", &place, "Where the backup schedule stored the backup; left out if it made none.")
    try fields.integer("last_tested", &lastTested, "When it was last tested, in seconds since 1970; null for never.")
  }
}

/// Something that contains a key and has left this device.
public struct KeyOutside: Fields {
  /// `export as` with the format, or `backup`.
  public var what = ""
  public var isEncrypted = true
  /// Seconds since 1970.
  public var lastTime: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("what", &what, "What it is: export as FORMAT, or backup.")
    try fields.flag("encrypted", &isEncrypted, "Whether it is encrypted.")
    try fields.integer("last_time", &lastTime, "When it was last made, in seconds since 1970.")
  }
}
