// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One request, with the decision of the present rules and of changed ones.
public struct ExplainedRequest: Fields {
  /// Two decisions that differ.
  public struct Difference: Fields {
    public var was = RuledVerdict()
    public var would = RuledVerdict()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("was", &was, "The decision of the present rules.")
      try fields.object("would", &would, "The decision of the changed rules.")
    }
  }

  /// The app's public key, 64 hex digits.
  public var client = ""
  public var name = ""
  /// In the form of NIP-46.
  public var permission = ""
  /// The permission for people: a person's key is shortened, and the app's own identity is “self”.
  public var text = ""
  public var now = RuledVerdict()
  public var changed = RuledVerdict()
  /// Whether the verdicts differ. Equal verdicts may come from different rules.
  public var differs = false
  /// One if they differ, otherwise none.
  public var differences: [Difference] = []
  /// More than one if the decision depends on the content, which a permission does not say. The first is `changed`.
  public var outcomes: [RuledVerdict] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
    try fields.anyText("name", &name, "The app's name.")
    try fields.anyText("permission", &permission, "The permission that the request needs.")
    try fields.anyText("text", &text, "The permission for people: a person's key is shortened, the identity itself is self.")
    try fields.object("now", &now, "The decision of the present rules.")
    try fields.object("changed", &changed, "The decision of the changed rules.")
    try fields.flag("differs", &differs, "Whether the verdicts differ.")
    try fields.objects("differences", &differences, "The two decisions again, if they differ.")
    try fields.objects(
      "outcomes", &outcomes,
      "Every decision that the changed rules may make. There are several if it depends on the content and a permission was given."
    )
  }
}

/// Past requests, with their decisions then and the decisions of other rules.
public struct ExplainedLog: Fields {
  /// The number of all explained requests.
  public var requests: Int64 = 0
  public var same: Int64 = 0
  public var differ: Int64 = 0
  /// Requests whose decision is uncertain, because the log contains no contents.
  public var depend: Int64 = 0
  /// Requests that the owner answered, and those that no rule decided.
  public var skipped: Int64 = 0
  public var isCut = false
  /// The first 200; so are `depending`.
  public var differences: [PastRequest] = []
  public var depending: [PastRequest] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("requests", &requests, "How many past requests were explained.")
    try fields.integer("same", &same, "How many would get the same decision.")
    try fields.integer("differ", &differ, "How many would get another decision.")
    try fields.integer("depend", &depend, "How many depend on a content, which the log does not contain.")
    try fields.integer("skipped", &skipped, "How many were not decided by rules.")
    try fields.flag("cut", &isCut, "Whether there are older entries that were not read.")
    try fields.objects("differences", &differences, "The first of those that would get another decision.")
    try fields.objects("depending", &depending, "The first of those that depend on a content.")
  }
}

/// One past request, with its decision then and now.
public struct PastRequest: Fields {
  /// The number of its entry in the log.
  public var sequence: Int64 = 0
  /// Seconds since 1970.
  public var time: Int64 = 0
  /// The app's public key, 64 hex digits.
  public var client = ""
  public var name = ""
  /// In the form of NIP-46.
  public var permission = ""
  public var was = PastVerdict()
  /// Nil when there are several `outcomes`.
  public var would: RuledVerdict?
  public var outcomes: [RuledVerdict] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("sequence", &sequence, "The number of its entry in the log.")
    try fields.integer("time", &time, "When it arrived, in seconds since 1970.")
    try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
    try fields.anyText("name", &name, "The app's name.")
    try fields.anyText("permission", &permission, "The permission that it needs, as far as the log shows it.")
    try fields.object("was", &was, "The decision then.")
    try fields.object("would", &would, "The decision now; null when several are possible.")
    try fields.objects("outcomes", &outcomes, "Every possible decision.")
  }
}

/// A decision in the past.
public struct PastVerdict: Fields {
  public var verdict = Verdict.ask
  /// The rule's stable name; nil for a rule that no longer exists.
  public var rule: String?
  /// May be empty.
  public var reason = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("verdict", &verdict, "Allow, ask or deny.")
    try fields.text("rule", &rule, "The name of the rule that decided; null for one that no longer exists.")
    try fields.anyText("reason", &reason, "The reason in the log.")
  }
}
