// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One request, as the rules answer it and as changed ones would.
public struct ExplainedRequest: Fields {
  /// Two answers that differ.
  public struct Difference: Fields {
    public var was = RuledVerdict()
    public var would = RuledVerdict()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("was", &was, "What the rules say as they are.")
      try fields.object("would", &would, "What the changed rules would say.")
    }
  }

  /// The app's public key, 64 hex digits.
  public var client = ""
  public var name = ""
  /// As NIP-46 writes it.
  public var permission = ""
  public var now = RuledVerdict()
  public var changed = RuledVerdict()
  /// Whether the verdicts differ; the rules that make them may differ all the same.
  public var differs = false
  /// One where they differ, else none.
  public var differences: [Difference] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
    try fields.anyText("name", &name, "What the app is called.")
    try fields.anyText("permission", &permission, "The permission that the request needs.")
    try fields.object("now", &now, "What the rules say as they are.")
    try fields.object("changed", &changed, "What the changed rules would say.")
    try fields.flag("differs", &differs, "Whether the verdicts differ.")
    try fields.objects("differences", &differences, "The two answers once more, where they differ.")
  }
}

/// Past requests, as they were answered and as other rules would answer them.
public struct ExplainedLog: Fields {
  /// All that were explained.
  public var requests: Int64 = 0
  public var same: Int64 = 0
  public var differ: Int64 = 0
  /// The log keeps no contents, so that their answer is not certain.
  public var depend: Int64 = 0
  /// Those that the owner answered himself, and those that no rule decided.
  public var skipped: Int64 = 0
  public var isCut = false
  /// The first 200; so are `depending`.
  public var differences: [PastRequest] = []
  public var depending: [PastRequest] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("requests", &requests, "How many past requests were explained.")
    try fields.integer("same", &same, "How many would be answered as they were.")
    try fields.integer("differ", &differ, "How many would be answered differently.")
    try fields.integer("depend", &depend, "How many depend on a content, which the log does not keep.")
    try fields.integer("skipped", &skipped, "How many were not decided by rules.")
    try fields.flag("cut", &isCut, "Whether there are older entries that were not looked at.")
    try fields.objects("differences", &differences, "The first of those that would be answered differently.")
    try fields.objects("depending", &depending, "The first of those that depend on a content.")
  }
}

/// One past request, with what was and what would be answered.
public struct PastRequest: Fields {
  /// The number of its entry in the log.
  public var sequence: Int64 = 0
  /// Seconds since 1970.
  public var time: Int64 = 0
  /// The app's public key, 64 hex digits.
  public var client = ""
  public var name = ""
  /// As NIP-46 writes it.
  public var permission = ""
  public var was = PastVerdict()
  /// Nil where there are several `outcomes`.
  public var would: RuledVerdict?
  public var outcomes: [RuledVerdict] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("sequence", &sequence, "The number of its entry in the log.")
    try fields.integer("time", &time, "When it came, in seconds since 1970.")
    try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
    try fields.anyText("name", &name, "What the app is called.")
    try fields.anyText("permission", &permission, "The permission that it needs, as far as the log tells.")
    try fields.object("was", &was, "What was answered.")
    try fields.object("would", &would, "What would be answered; null where several answers are possible.")
    try fields.objects("outcomes", &outcomes, "Every answer that is possible.")
  }
}

/// A decision of the past.
public struct PastVerdict: Fields {
  public var verdict = Verdict.ask
  /// The rule's stable name; nil for a rule that is not known any more.
  public var rule: String?
  /// May be empty.
  public var reason = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("verdict", &verdict, "Allow, ask or deny.")
    try fields.text("rule", &rule, "The name of the rule that decided; null for one that is not known any more.")
    try fields.anyText("reason", &reason, "What the log says of it.")
  }
}
