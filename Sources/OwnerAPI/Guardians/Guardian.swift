// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A guardian who has a share of a kit.
public struct GuardianSummary: Fields {
  public var id = ""
  public var npub = ""
  public var kit = ""
  /// Counted from 1, like the group.
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
    try fields.anyText("id", &id, "The id for commands.")
    try fields.anyText("npub", &npub, "The guardian's public key as an npub.")
    try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
    try fields.integer("share", &share, "The number of the share in its group, counted from 1.")
    try fields.integer("group", &group, "The number of the group in the kit, counted from 1.")
    try fields.integer("delay", &delay, "How long a requester has to wait for the share, in seconds.")
    try fields.texts("relays", &relays, "The relays that the guardian uses; empty for the signer's own.")
    try fields.integer("sent", &sent, "When the share was sent, in seconds since 1970.")
    try fields.integer("since", &since, "When the guardian confirmed keeping it, in seconds since 1970; null until then.")
    try fields.anyText("identity", &identity, "The identity that sent it.")
  }
}

/// Whether the messages of an identity can be read now.
public enum MessageReading: String, Word {
  case notRunning = "signer not running"
  case locked
  /// The owner opened its key for a limited time.
  case open
  /// Its key requires the owner's proof for each use.
  case needsOwner = "needs you"
  case reads
}

/// An identity that may receive messages of guardians or owners.
public struct Correspondent: Fields {
  public var identity = ""
  public var state = MessageReading.reads
  /// Nil when the time is not limited.
  public var seconds: Int64?
  public var takesShares = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("identity", &identity, "The identity's name.")
    try fields.word("state", &state, "Whether its messages can be read now.")
    try fields.integer("seconds", &seconds, "How many seconds longer they can be read; null for no limit.")
    try fields.flag("takes_shares", &takesShares, "Whether others may give it a share to keep.")
  }
}

/// A share that is kept here for somebody.
public struct HeldShare: Fields {
  public var id = ""
  public var from = ""
  public var kit = ""
  /// Counted from 1.
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
    try fields.anyText("id", &id, "The id for commands.")
    try fields.anyText("from", &from, "The owner's public key as an npub.")
    try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
    try fields.integer("share", &share, "The number of the share in its group, counted from 1.")
    try fields.integer("since", &since, "When it arrived, in seconds since 1970.")
    try fields.integer("delay", &delay, "How long a requester has to wait for the share, in seconds.")
    try fields.anyText("identity", &identity, "The identity that keeps it.")
    try fields.flag("offered", &isOffered, "Whether it waits for your consent.")
    try fields.integer("requests", &requests, "How many people are requesting it now.")
  }
}
