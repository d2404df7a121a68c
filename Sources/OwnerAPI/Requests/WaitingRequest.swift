// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The proof of presence for a key that is opened for one use.
public enum PresenceProof: String, Word {
  /// A passphrase, or a token's PIN.
  case passcode
  case passkey
  /// Either.
  case passkeyOrPasscode = "passkey-or-passcode"
}

/// How closely the owner should look at a request.
public enum Risk: String, Word {
  case usual, careful
  /// Answered alone.
  case grave
}

/// What makes a request more than an everyday one, by a name that stays the same whatever the sentences say.
public enum Concern: String, Word {
  case presence, unreadable, follows
  case addedFollows = "added-follows"
  case emptiedList = "emptied-list"
  case datedAhead = "dated-ahead"
  case paysOthers = "pays-others"
  case severalServers = "several-servers"
  case payment, payee, wallet, money
  case deletion, profile
  case keptProfile = "kept-profile"
  case otherProfile = "other-profile"
  case keyHandling = "key-handling"
  case unknownKind = "unknown-kind"
  case fileDeletion = "file-deletion"
  case login, relays, list
  case appData = "app-data"
  case group, leaving, mint, collecting
  case ownMessage = "own-message"
  case message
  case publicKey = "public-key"
}

/// What a warning is about.
public enum WarningSubject: String, Word {
  case lostProfile = "lost-profile"
  case lostFollows = "lost-follows"
  case lostList = "lost-list"
  case noEarlier = "no-earlier"
  case deletesFiles = "deletes-files"
}

/// The app that sent a request.
public struct RequestingApp: Fields {
  /// 64 hex digits.
  public var pubkey = ""
  /// The public key that the signer uses for the app, 64 hex digits.
  public var signer = ""
  /// The app's name, or the first digits of its key if it has none.
  public var name = ""
  /// Nil if it gave none.
  public var url: String?
  /// Nil for an app that asks over relays.
  public var place: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("pubkey", &pubkey, "The app's public key, 64 hex digits.")
    try fields.anyText("signer", &signer, "The public key that the signer uses for the app, 64 hex digits.")
    try fields.anyText("name", &name, "The app's name, or the first digits of its key.")
    try fields.text("url", &url, "The address that the app gave, which was not checked.")
    try fields.text(
      "place", &place, "What asks from this machine, as “site https://example.com”; null for an app that asks over relays.")
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

/// What an answer is remembered for by default.
public struct RequestMemory: Fields {
  /// In the form of NIP-46, possibly with a scope after “@”.
  public var permission = ""
  /// For people: “notes from this app”.
  public var label = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText(
      "permission", &permission, "The permission in the form of NIP-46, possibly with a person or a place after “@”.")
    try fields.anyText("label", &label, "The same for people, such as “notes from this app”.")
  }
}

/// A request of an app that waits for the owner.
public struct WaitingRequest: Fields {
  /// Hex digits. The first 4 or more identify it, too.
  public var id = ""
  /// The id of the event that carried it, 64 hex digits.
  public var event = ""
  public var client = RequestingApp()
  public var identity = RequestedIdentity()
  public var method = RequestMethod.signEvent
  /// Nil when there is nothing to sign; so is `kindName`.
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
  public var risk = Risk.grave
  /// A few words; nil for a usual one.
  public var riskReason: String?
  /// All that apply, the one of `riskReason` first; none for a usual one.
  public var concerns: [Concern] = []
  /// Nil when an approval requires no proof.
  public var presence: PresenceProof?
  /// Seconds since 1970; so is `expires`.
  public var received: Int64 = 0
  public var expires: Int64 = 0
  /// How often the app sent it again.
  public var repeats: Int64 = 0
  /// The same text for requests that can be answered together; nil for one that must be answered alone.
  public var batch: String?
  /// For example “12 likes”.
  public var batchTitle = ""
  /// Whether the signer is locked, so that nobody reads here what the request says. Then `summary`, `parts` and `raw` are empty.
  public var isHidden = false
  /// Whether its key is locked away, so that an approval fails. Nil if it is not.
  public var needsUnlock: Bool?
  /// In reading order.
  public var parts: [RequestPart] = []
  /// Shortest first.
  public var offers: [Duration] = []
  public var remember = RequestMemory()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The request's id. Its first 4 or more digits identify it, too.")
    try fields.anyText("event", &event, "The id of the event that carried it, 64 hex digits; the log names it, too.")
    try fields.object("client", &client, "The app.")
    try fields.object("identity", &identity, "The identity whose key it would use.")
    try fields.word("method", &method, "The requested method.")
    try fields.integer("kind", &kind, "The kind of the event to sign; null when there is nothing to sign.")
    try fields.text("kind_name", &kindName, "The name of events of that kind; null when there is nothing to sign.")
    try fields.anyText("title", &title, "What it would do, in a few words.")
    try fields.anyText("summary", &summary, "What it would do, in one line with the app's own text.")
    try fields.anyText("rule", &rule, "The name of the rule by which the owner is asked.")
    try fields.anyText("reason", &reason, "That rule in a sentence.")
    try fields.word(
      "risk", &risk, "How closely to look at it; a grave one, such as a payment, a deletion or a new profile, is answered alone.")
    try fields.text("risk_reason", &riskReason, "Why, in a few words; null for a usual request.")
    try fields.words(
      "concerns", &concerns, "What makes it more than an everyday request, by names; risk_reason is about the first of them.")
    try fields.word("presence", &presence, "The proof that an approval requires; null for none.")
    try fields.integer("received", &received, "When it arrived, in seconds since 1970.")
    try fields.integer("expires", &expires, "When it expires without an answer, in seconds since 1970.")
    try fields.integer("repeats", &repeats, "How often the app sent it again.")
    try fields.text("batch", &batch, "The same text for requests that can be answered together; null for one to answer alone.")
    try fields.anyText("batch_title", &batchTitle, "The requests of the batch together, such as “12 likes”.")
    try fields.flag(
      "hidden", &isHidden,
      "Whether what the request says is hidden, because the signer is locked: then `summary`, `parts` and `raw` are empty.")
    try fields.leftOut.flag(
      "needs_unlock", &needsUnlock,
      "True when its key is locked, so that it can be approved only after the signer is unlocked; otherwise left out.")
    try fields.objects("parts", &parts, "What it would do, part by part in reading order.")
    try fields.durations(
      "offers", &offers,
      "How long an approval can be remembered, shortest first: a choice. Any time up to the last one is taken, too.")
    try fields.object("remember", &remember, "What an answer is remembered for by default.")
  }
}

/// A waiting request, with everything the app sent.
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
