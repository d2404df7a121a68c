// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Why a key is replaced by another.
public enum RotationReason: String, Word {
  /// The owner wants a new key.
  case rotated
  /// Somebody else has the key, or may have it.
  case compromised
  /// The statement was signed in advance.
  case prepared
}

/// The progress of a rotation.
public enum RotationStage: String, Word {
  /// Relays have accepted everything.
  case done
  /// Some events still have to be accepted.
  case publishing
}

/// An event that a rotation publishes.
public enum RotationEvent: String, Word {
  /// Signed by the old key, naming the new one.
  case statement
  /// Signed by the new key, naming the old one.
  case acceptance
  case profile
  case follows
  case relayList = "relays"
  case messageRelays = "message-relays"
  /// A note for people.
  case note
}

/// One of the two keys of a rotation.
public enum RotationSide: String, Word { case old, new }

/// A key, and its name here.
public struct NamedKey: Fields {
  /// Nil for a key that is not here.
  public var name: String?
  public var npub = ""
  /// 64 hex digits.
  public var pubkey = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("name", &name, "The identity's name; null for a key that is not here.")
    try fields.anyText("npub", &npub, "The public key as an npub.")
    try fields.anyText("pubkey", &pubkey, "The public key, 64 hex digits.")
  }
}

/// An app that is paired with an old key.
public struct AppOfOldKey: Fields {
  public var name = ""
  /// The app's public key, 64 hex digits.
  public var client = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The app's name.")
    try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
  }
}

/// One event of a rotation, and the relays' answers to it.
public struct PublishedEvent: Fields {
  public var what = RotationEvent.statement
  public var kind: Int64 = 0
  /// 64 hex digits.
  public var id = ""
  public var signedBy = RotationSide.old
  /// The addresses of relays.
  public var taken: [String] = []
  public var refused: [RelayFault] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("what", &what, "What the event is.")
    try fields.integer("kind", &kind, "The event's kind.")
    try fields.anyText("id", &id, "The event's id, 64 hex digits.")
    try fields.word("signed_by", &signedBy, "The key that signed it.")
    try fields.texts("taken", &taken, "The relays that accepted it.")
    try fields.objects("refused", &refused, "The relays that did not accept it, and their messages.")
  }
}

/// A key that was replaced by another.
public struct RotationSummary: Fields {
  public var from = NamedKey()
  public var to = NamedKey()
  public var reason = RotationReason.rotated
  /// Seconds since 1970.
  public var started: Int64 = 0
  public var stage = RotationStage.publishing
  public var relays: [String] = []
  public var published: [PublishedEvent] = []
  public var missing: [RotationEvent] = []
  public var apps: [AppOfOldKey] = []
  /// Sentences for people.
  public var cannot: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("from", &from, "The old key.")
    try fields.object("to", &to, "The new key.")
    try fields.word("reason", &reason, "Why the old key was replaced.")
    try fields.integer("started", &started, "When the statement was signed, in seconds since 1970.")
    try fields.word("stage", &stage, "Whether everything has been published.")
    try fields.texts("relays", &relays, "The relays that it is published to.")
    try fields.objects("published", &published, "Each event, and the relays' answers to it.")
    try fields.words("missing", &missing, "What was not found anywhere and is not copied.")
    try fields.objects("apps", &apps, "The apps that are still paired with the old key.")
    try fields.texts("cannot", &cannot, "What no program can do for the owner, each in a sentence.")
  }
}
