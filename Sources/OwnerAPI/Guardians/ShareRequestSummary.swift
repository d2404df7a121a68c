// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What became of a request for a share.
public enum ShareRequestState: String, Word {
  /// The guardian has not said yes.
  case waiting
  /// The guardian said yes; it is given when the waiting time is over.
  case approved
  case given, refused, cancelled
  /// A restore ended it, or the share is not kept any more.
  case lapsed
  /// Newer requests took its place.
  case displaced
}

/// What somebody who asks for a share showed.
public enum ShareStanding: String, Word {
  case unknown
  /// The kit's request code.
  case code
  /// The key from which the share came.
  case owner
}

/// Somebody asks for a share: one kept here, the owner's own, or the owner asks a guardian.
public struct ShareRequestSummary: Fields {
  public var id = ""
  public var kit = ""
  /// Whether it is for the owner's own share, by somebody else.
  public var isForOwn = false
  public var from = ""
  /// Nil where the share is kept here.
  public var guardian: String?
  /// Nil unless the share is kept here.
  public var owner: String?
  public var note = ""
  /// Six digits.
  public var code = ""
  /// Seconds since 1970.
  public var at: Int64 = 0
  /// Seconds since 1970; nil where nobody said yet.
  public var due: Int64?
  public var state = ShareRequestState.waiting
  public var shares: Int64 = 0
  public var standing = ShareStanding.unknown
  /// Seconds since 1970.
  public var sent: Int64 = 0
  public var needsOwner = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The name by which commands know it.")
    try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
    try fields.flag("mine", &isForOwn, "Whether somebody asks for a share of yours.")
    try fields.anyText("from", &from, "The public key of who asks, as npub.")
    try fields.text("guardian", &guardian, "The guardian's public key, as npub; null where you keep the share.")
    try fields.text("owner", &owner, "The public key of the share's owner, as npub; null unless you keep the share.")
    try fields.anyText("note", &note, "A line from who asks; may be empty.")
    try fields.anyText("code", &code, "Six digits that both ends see, to compare on the telephone.")
    try fields.integer("at", &at, "When it came, in seconds since 1970.")
    try fields.integer("due", &due, "When the share is likely to be given, in seconds since 1970; null while nobody said.")
    try fields.word("state", &state, "What became of it.")
    try fields.integer("shares", &shares, "How many shares came.")
    try fields.word("shown", &standing, "What who asks showed.")
    try fields.integer("sent", &sent, "When it says that it was written, in seconds since 1970.")
    try fields.flag("needs_you", &needsOwner, "Whether the share is given only once you open the identity's key.")
  }
}
