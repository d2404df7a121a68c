// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A guardian who has a share of a kit.
public struct GuardianSummary: Fields {
  public var id = ""
  public var npub = ""
  public var kit = ""
  /// From 1 on, as is the group.
  public var share: Int64 = 0
  public var group: Int64 = 0
  /// Seconds.
  public var delay: Int64 = 0
  public var relays: [String] = []
  /// Seconds since 1970.
  public var sent: Int64 = 0
  /// Seconds since 1970; nil until the guardian confirmed it.
  public var since: Int64?
  public var identity = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The name by which commands know it.")
    try fields.anyText("npub", &npub, "The guardian's public key, as npub.")
    try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
    try fields.integer("share", &share, "Which share of its group it is; the first is 1.")
    try fields.integer("group", &group, "Which group of the kit; the first is 1.")
    try fields.integer("delay", &delay, "How long whoever asks for it has to wait, in seconds.")
    try fields.texts("relays", &relays, "The relays where the guardian listens; none for the signer's own.")
    try fields.integer("sent", &sent, "When the share was sent, in seconds since 1970.")
    try fields.integer("since", &since, "When the guardian confirmed to keep it, in seconds since 1970; null until then.")
    try fields.anyText("identity", &identity, "The identity that sent it.")
  }
}

/// Whether the messages of an identity are read now.
public enum MessageReading: String, Word {
  case notRunning = "signer not running"
  case locked
  /// The owner opened its key for a while.
  case open
  /// Its key wants the owner each time.
  case needsOwner = "needs you"
  case reads
}

/// An identity for which guardians' or owners' messages may come.
public struct Correspondent: Fields {
  public var identity = ""
  public var state = MessageReading.reads
  /// Nil where it is not open for a while.
  public var seconds: Int64?
  public var takesShares = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("identity", &identity, "The identity's name.")
    try fields.word("state", &state, "Whether its messages are read now.")
    try fields.integer("seconds", &seconds, "For how many seconds more they are; null where that has no end.")
    try fields.flag("takes_shares", &takesShares, "Whether others may hand it a share.")
  }
}

/// A share that is kept here for somebody.
public struct HeldShare: Fields {
  public var id = ""
  public var from = ""
  public var kit = ""
  /// From 1 on.
  public var share: Int64 = 0
  /// Seconds since 1970.
  public var since: Int64 = 0
  /// Seconds.
  public var delay: Int64 = 0
  public var identity = ""
  public var isOffered = false
  public var requests: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The name by which commands know it.")
    try fields.anyText("from", &from, "Its owner's public key, as npub.")
    try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
    try fields.integer("share", &share, "Which share of its group it is; the first is 1.")
    try fields.integer("since", &since, "When it came, in seconds since 1970.")
    try fields.integer("delay", &delay, "How long whoever asks for it has to wait, in seconds.")
    try fields.anyText("identity", &identity, "The identity that keeps it.")
    try fields.flag("offered", &isOffered, "Whether it waits for your consent.")
    try fields.integer("requests", &requests, "How many people ask for it now.")
  }
}
