// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where a rotation found the events that it copies.
public enum RotationSource: String, Word {
  /// Among events signed here.
  case here
  /// On a relay.
  case relays
}

/// One event that a rotation would publish.
public struct PlannedEvent: Fields {
  public var what = RotationEvent.statement
  public var kind: Int64 = 0
  public var signedBy = RotationSide.old
  /// Nil for an event that is not a copy; so is `tags`.
  public var found: RotationSource?
  public var tags: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("what", &what, "What the event is.")
    try fields.integer("kind", &kind, "The event's kind.")
    try fields.word("signed_by", &signedBy, "The key that would sign it.")
    try fields.leftOut.word("found", &found, "Where the copied event was found.")
    try fields.leftOut.integer("tags", &tags, "How many tags the copy has.")
  }
}

/// What a rotation would do.
public struct RotationPlan: Fields {
  public var from = NamedKey()
  /// The new identity's name.
  public var to = ""
  public var reason = RotationReason.rotated
  /// Whether the statement was signed in advance.
  public var isPrepared = false
  public var publishes: [PlannedEvent] = []
  public var relays: [String] = []
  public var unreachable: [RelayFault] = []
  public var missing: [RotationEvent] = []
  public var apps: [AppOfOldKey] = []
  /// Sentences for people.
  public var cannot: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("from", &from, "The old key.")
    try fields.anyText("to", &to, "The new identity's name.")
    try fields.word("reason", &reason, "Why the old key is replaced.")
    try fields.flag("prepared", &isPrepared, "Whether the statement was signed in advance.")
    try fields.objects("publishes", &publishes, "Each event that would be published.")
    try fields.texts("relays", &relays, "The relays that it would be published to.")
    try fields.objects("unreachable", &unreachable, "The relays that could not be read.")
    try fields.words("missing", &missing, "What was not found anywhere and is not copied.")
    try fields.objects("apps", &apps, "The apps that are paired with the old key.")
    try fields.texts("cannot", &cannot, "What no program can do for the owner, each in a sentence.")
  }
}
