// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows how the keys are kept: what opens them, what one loss would end, and what is still to do.
public enum CustodyOverview: OwnerOperation {
  public static let properties = OperationProperties.look(
    "custody/overview", "Show what opens each key, what one loss would end, and what is still to do.", from: .session,
    lane: .reading)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var steps: [CustodyStep] = []
    public var ways: [CustodyWay] = []
    public var keys: [CustodyKey] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects(
        "steps", &steps, "What makes custody sound, done or not, in the order to do it. Empty in a trial.")
      try fields.objects("ways", &ways, "Each thing that opens a key: the vault's slots, and the kits of single identities.")
      try fields.objects("keys", &keys, "The identities' keys, and what opens each.")
    }
  }
}

/// What the owner can do about a risk. Programs show it as a button or a command.
public enum Remedy: String, Word {
  case addWay = "add-way"
  case testWays = "test-ways"
  case makeKit = "make-kit"
  case testKit = "test-kit"
  case makeBackup = "make-backup"
  case checkBackup = "check-backup"
  /// Keep one on another disk.
  case moveBackup = "move-backup"
  case addRelay = "add-relay"
  case replaceKey = "replace-key"
}

/// One line of the list of what is to do.
public struct CustodyStep: Fields {
  /// What it is about.
  public enum Name: String, Word {
    case secondWay = "second-way-in"
    case kitTested = "kit-tested"
    case backupFresh = "backup-fresh"
    case relaysReachable = "relays-reachable"
  }

  public var name = Name.secondWay
  public var isDone = false
  public var text = ""
  /// Seconds since 1970; nil when it never was.
  public var last: Int64?
  public var remedy = Remedy.addWay

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("step", &name, "What it is about.")
    try fields.flag("done", &isDone, "Whether it is done.")
    try fields.anyText("text", &text, "The state in a sentence.")
    try fields.integer(
      "last", &last, "When the kit was last tested, or the backup made that is judged, in seconds since 1970; null for never.")
    try fields.word("remedy", &remedy, "What does it.")
  }
}

/// Something that opens keys.
public struct CustodyWay: Fields {
  /// Unique in the answer.
  public var id = ""
  /// A kit of one identity has the type `recovery`.
  public var kind = SlotKind.passphrase
  /// May be empty.
  public var label = ""
  /// Nil for a kit of one identity.
  public var slot: Int64?
  /// Four hex digits; nil for what is not a kit.
  public var kit: String?
  /// Nil for what opens whole classes.
  public var identity: String?
  /// Seconds since 1970; nil for never.
  public var lastWorked: Int64?
  public var opens: [KeyProtection] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "Its name in this answer.")
    try fields.word("type", &kind, "The type of credential.")
    try fields.anyText("label", &label, "The owner's name for it; may be empty.")
    try fields.integer("slot", &slot, "The slot's number; null for a kit of one identity.")
    try fields.text("kit", &kit, "The recovery kit's number, four hex digits; null for what is none.")
    try fields.text("identity", &identity, "The only identity that it restores; null for what opens classes.")
    try fields.integer("last_worked", &lastWorked, "When it was last used or tested, in seconds since 1970; null for never.")
    try fields.words("opens", &opens, "The classes of keys that it opens.")
  }
}

/// A key, and what opens it.
public struct CustodyKey: Fields {
  public var name = ""
  public var pubkey = ""
  public var protection = KeyProtection.whenUnlocked
  public var ways: [String] = []
  /// Seconds since 1970; nil for never, as far as the log says.
  public var exported: Int64?
  public var endsWithOneLoss = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The identity's name.")
    try fields.anyText("pubkey", &pubkey, "Its public key, 64 hex digits.")
    try fields.word("class", &protection, "The class that the key is encrypted under.")
    try fields.texts("ways", &ways, "The ids of the ways that open it.")
    try fields.integer(
      "exported", &exported,
      "When a copy of it was last exported, in seconds since 1970. The signer does not know whether that copy still exists. Null for never."
    )
    try fields.flag(
      "ends_with_one_loss", &endsWithOneLoss,
      "Whether the loss of a single way ends it. An exported copy is counted as one more way.")
  }
}
