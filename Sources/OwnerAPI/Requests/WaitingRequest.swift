// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What shows that the owner is there, for a key that is opened for one use.
public enum PresenceProof: String, Word {
  /// A passphrase, or a token's PIN.
  case passcode
  case passkey
  /// Either.
  case passkeyOrPasscode = "passkey-or-passcode"
}

/// The app that sent a request.
public struct RequestingApp: Fields {
  /// 64 hex digits.
  public var pubkey = ""
  /// The public key that answers the app, 64 hex digits.
  public var signer = ""
  /// The first digits of its key, where it has no name.
  public var name = ""
  /// Nil where it gave none.
  public var url: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("pubkey", &pubkey, "The app's public key, 64 hex digits.")
    try fields.anyText("signer", &signer, "The public key that answers the app, 64 hex digits.")
    try fields.anyText("name", &name, "What the app is called, or the first digits of its key.")
    try fields.text("url", &url, "The address that the app gave; nobody checked it.")
  }
}

/// The identity whose key a request would use.
public struct RequestedIdentity: Fields {
  public var name = ""
  public var npub = ""
  /// 64 hex digits.
  public var pubkey = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The identity's name.")
    try fields.anyText("npub", &npub, "Its public key as an npub.")
    try fields.anyText("pubkey", &pubkey, "Its public key, 64 hex digits.")
  }
}

/// What an answer to a request is remembered for, where nothing else is said.
public struct RequestMemory: Fields {
  /// As NIP-46 writes it, perhaps with a scope behind “@”.
  public var permission = ""
  /// For people: “notes from this app”.
  public var label = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "As NIP-46 writes it, perhaps with a person or a place behind “@”.")
    try fields.anyText("label", &label, "The same for people, as “notes from this app”.")
  }
}

/// A request of an app that waits for the owner.
public struct WaitingRequest: Fields {
  /// Hex digits; the first 4 or more name it, too.
  public var id = ""
  public var client = RequestingApp()
  public var identity = RequestedIdentity()
  public var method = RequestMethod.signEvent
  /// Nil where nothing is to be signed; so is `kindName`.
  public var kind: Int64?
  public var kindName: String?
  /// In a few words: “Sign a note”.
  public var title = ""
  /// In one line.
  public var summary = ""
  /// The rule's stable name.
  public var rule = ""
  /// The rule in a sentence.
  public var reason = ""
  /// Nil where an approval needs no proof.
  public var presence: PresenceProof?
  /// Seconds since 1970; so is `expires`.
  public var received: Int64 = 0
  public var expires: Int64 = 0
  /// How often the app sent it again.
  public var repeats: Int64 = 0
  /// The same text for requests that can be answered together; nil for one that is looked at alone.
  public var batch: String?
  /// “12 likes”.
  public var batchTitle = ""
  /// In reading order.
  public var parts: [RequestPart] = []
  /// The shortest first.
  public var offers: [Duration] = []
  public var remember = RequestMemory()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The request's id; its first 4 or more digits name it, too.")
    try fields.object("client", &client, "The app.")
    try fields.object("identity", &identity, "The identity whose key it would use.")
    try fields.word("method", &method, "What the app asks for.")
    try fields.integer("kind", &kind, "The kind of the event to sign; null where nothing is to be signed.")
    try fields.text("kind_name", &kindName, "What events of that kind are called; null where nothing is to be signed.")
    try fields.anyText("title", &title, "What it would do, in a few words.")
    try fields.anyText("summary", &summary, "What it would do, in one line with the app's own text.")
    try fields.anyText("rule", &rule, "The name of the rule by which it is asked.")
    try fields.anyText("reason", &reason, "That rule in a sentence.")
    try fields.word("presence", &presence, "What an approval has to be proven by; null for nothing.")
    try fields.integer("received", &received, "When it came, in seconds since 1970.")
    try fields.integer("expires", &expires, "When it ends without an answer, in seconds since 1970.")
    try fields.integer("repeats", &repeats, "How often the app sent it again.")
    try fields.text("batch", &batch, "The same for requests that can be answered together; null for one to look at alone.")
    try fields.anyText("batch_title", &batchTitle, "What the requests of the batch are together, as “12 likes”.")
    try fields.objects("parts", &parts, "What it would do, part by part in reading order.")
    try fields.words("offers", &offers, "How long an approval may be remembered, the shortest first.")
    try fields.object("remember", &remember, "What an answer is remembered for, where nothing else is said.")
  }
}

/// A request that waits, with what the app sent.
public struct WaitingRequestDetail: Fields {
  public var request = WaitingRequest()
  /// Characters that hide or reorder others are written as JSON escapes.
  public var raw = ""
  public var isRawTruncated = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&request)
    try fields.anyText("raw", &raw, "What the app sent, with hidden characters as JSON escapes.")
    try fields.flag("raw_truncated", &isRawTruncated, "Whether the app sent more than is shown.")
  }
}
