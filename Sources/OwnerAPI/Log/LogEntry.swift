// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An entry of the log. Members without a value are left out.
public struct LogEntry: Fields {
  /// Counted from 1.
  public var sequence: Int64 = 0
  /// Seconds since 1970.
  public var time: Int64 = 0
  public var entry = LogEntryKind.requestDecided
  /// A phrase without a full stop.
  public var text = ""
  /// How closely the owner should look at such a request; nil for an everyday one and for what is no request.
  public var risk: Risk?
  /// Why, in a few words: “changes where payments to you go”.
  public var riskReason: String?
  /// The same by its name.
  public var concern: Concern?
  /// The identity's name, or its public key (64 hex digits) if it was deleted.
  public var identity: String?
  /// The app's public key, 64 hex digits.
  public var client: String?
  public var clientName: String?
  public var method: RequestMethod?
  /// The kind of an event.
  public var kind: Int64?
  public var decision: Verdict?
  /// The rule that decided, or other details of the entry.
  public var rule: String?
  /// The id of the event that carried the request, 64 hex digits.
  public var request: String?
  /// The request's id in `request/list`, 8 hex digits.
  public var requestName: String?
  /// The id of the signed event, 64 hex digits.
  public var signed: String?
  /// A number that says why something was not done.
  public var error: Int64?
  /// The end of a sentence; nil also for a number that only a newer program writes.
  public var failure: String?
  /// The meaning depends on `entry`.
  public var amount: Int64?
  /// The entry's hash in the log's tree, 64 hex digits; in an export only.
  public var leaf: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("sequence", &sequence, "The entry's number, counted from 1.")
    try fields.integer("time", &time, "When it was written, in seconds since 1970.")
    try fields.word("entry", &entry, "The type of the entry.")
    try fields.anyText("text", &text, "What happened, as a phrase.")
    try fields.leftOut.word("risk", &risk, "How closely to look at such a request: careful or grave.")
    try fields.leftOut.text("risk_reason", &riskReason, "Why, in a few words.")
    try fields.leftOut.word("concern", &concern, "The same by its name.")
    try fields.leftOut.text("identity", &identity, "The identity's name, or its public key if it was deleted.")
    try fields.leftOut.text("client", &client, "The app's public key, 64 hex digits.")
    try fields.leftOut.text("client_name", &clientName, "The app's name.")
    try fields.leftOut.word("method", &method, "The requested method.")
    try fields.leftOut.integer("kind", &kind, "The kind of the event.")
    try fields.leftOut.word("decision", &decision, "The decision.")
    try fields.leftOut.text("rule", &rule, "The rule that decided, or other details of the entry.")
    try fields.leftOut.text("request", &request, "The id of the event that carried the request, 64 hex digits.")
    try fields.leftOut.text("request_name", &requestName, "The id that the request has in request/list, 8 hex digits.")
    try fields.leftOut.text("signed", &signed, "The id of the signed event, 64 hex digits.")
    try fields.leftOut.integer("error", &error, "The number of an error.")
    try fields.leftOut.text("failure", &failure, "Why something was not done, in words.")
    try fields.leftOut.integer("amount", &amount, "A number whose meaning depends on the entry's type.")
    try fields.leftOut.text("leaf", &leaf, "The entry's hash in the log's tree, 64 hex digits; in an export only.")
  }
}

/// Selects entries of the log. All given conditions must be met.
public struct LogFilter: Fields {
  /// Seconds since 1970; so is `until`.
  public var since: Int64?
  public var until: Int64?
  /// An app as in `AppRequest`, or the whole public key (hex or npub) of a former one.
  public var client: String?
  /// An identity's name or public key (npub or hex).
  public var identity: String?
  /// 0 to 65535.
  public var kind: Int64?
  public var entry: LogEntryKind?
  public var decision: Verdict?
  /// 64 hex digits.
  public var signed: String?
  /// As in `request/list`: 8 hex digits, or the first 4 or more of them.
  public var request: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("since", &since, "Only later entries, in seconds since 1970.")
    try fields.integer("until", &until, "Only earlier entries, in seconds since 1970.")
    try fields.text("client", &client, "Only entries of this app: its name, or its public key (hex or npub).")
    try fields.text("identity", &identity, "Only entries about this identity: its name or public key (npub or hex).")
    try fields.integer("kind", &kind, "Only entries about events of this kind.")
    try fields.word("entry", &entry, "Only entries of this type.")
    try fields.word("decision", &decision, "Only entries with this decision.")
    try fields.text("signed", &signed, "Only the entry about this signed event: its id, 64 hex digits.")
    try fields.text(
      "request", &request, "Only entries about this request: its id in request/list, or the first 4 or more digits.")
  }
}
