// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The state of a request for a share.
public enum ShareRequestState: String, Word {
  /// The guardian has not approved it.
  case waiting
  /// The guardian approved it. The share is given when the waiting time is over.
  case approved
  case given, refused, cancelled
  /// A restore ended it, or the share is no longer kept.
  case lapsed
  /// Newer requests replaced it.
  case displaced
}

/// What the requester of a share has proved.
public enum ShareStanding: String, Word {
  case unknown
  /// The requester has the kit's request code.
  case code
  /// The requester has the key that sent the share.
  case owner
}

/// A request for a share: for one kept here, for the owner's own by somebody else, or by the owner to a guardian.
public struct ShareRequestSummary: Fields {
  public var id = ""
  public var kit = ""
  /// Whether somebody else requests the owner's own share.
  public var isForOwn = false
  public var from = ""
  /// Nil when the share is kept here.
  public var guardian: String?
  /// Nil unless the share is kept here.
  public var owner: String?
  public var note = ""
  /// Six digits.
  public var code = ""
  /// Seconds since 1970.
  public var at: Int64 = 0
  /// Seconds since 1970; nil when unknown.
  public var due: Int64?
  public var state = ShareRequestState.waiting
  public var shares: Int64 = 0
  public var standing = ShareStanding.unknown
  /// Seconds since 1970.
  public var sent: Int64 = 0
  public var needsOwner = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The id for commands.")
    try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
    try fields.flag("mine", &isForOwn, "Whether somebody requests a share of yours.")
    try fields.anyText("from", &from, "The requester's public key as an npub.")
    try fields.text("guardian", &guardian, "The guardian's public key as an npub; null when you keep the share.")
    try fields.text("owner", &owner, "The public key of the share's owner as an npub; null unless you keep the share.")
    try fields.anyText("note", &note, "A line from the requester; may be empty.")
    try fields.anyText("code", &code, "Six digits that both sides see, to compare by telephone.")
    try fields.integer("at", &at, "When it arrived, in seconds since 1970.")
    try fields.integer("due", &due, "When the share will probably be given, in seconds since 1970; null when unknown.")
    try fields.word("state", &state, "The state of the request.")
    try fields.integer("shares", &shares, "How many shares arrived.")
    try fields.word("shown", &standing, "What the requester has proved.")
    try fields.integer("sent", &sent, "When it was written according to its date, in seconds since 1970.")
    try fields.flag("needs_you", &needsOwner, "Whether the share is given only after you open the identity's key.")
  }
}
