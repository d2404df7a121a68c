// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One thing that an app may ask for: what the rules decide about it now, and what they decided recently.
public struct PermissionRow: Fields {
  /// In the form of NIP-46, possibly with a scope after “@”.
  public var permission = ""
  public var decision = RuledVerdict()
  /// Whether the app's trust decides, and nothing else.
  public var isFromTrust = false
  /// Whether the owner made a rule for it.
  public var isOwners = false
  /// Seconds since 1970; nil for a rule that does not expire, and where there is none.
  public var expires: Int64?
  /// Whether the app requested it when it paired.
  public var isRequested = false
  public var allowed: Int64 = 0
  public var asked: Int64 = 0
  public var approved: Int64 = 0
  public var denied: Int64 = 0
  public var refused: Int64 = 0
  /// The longest time for which the owner may allow it, as `for` of `client/allow`; `once` where no rule can allow it.
  public var longest = "always"
  /// Whether it can be allowed for one place only, as a login is.
  public var needsPlace = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "The permission in the form of NIP-46, possibly with a scope after “@”.")
    try fields.include(&decision)
    try fields.flag("own_rule", &isOwners, "Whether you made a rule for it.")
    try fields.flag("from_trust", &isFromTrust, "Whether the app's trust decides, and nothing else.")
    try fields.integer("expires", &expires, "When your rule expires, in seconds since 1970; null for never or no rule.")
    try fields.flag("requested", &isRequested, "Whether the app requested it when it paired.")
    try fields.integer("allowed", &allowed, "How many requests were allowed without asking.")
    try fields.integer("asked", &asked, "How many requests asked the owner.")
    try fields.integer("approved", &approved, "How many of these the owner approved.")
    try fields.integer("refused", &refused, "How many of these the owner denied.")
    try fields.integer("denied", &denied, "How many requests were denied without asking.")
    try fields.anyText(
      "longest", &longest, "The longest time for which you may allow it: 5m, 1h, 1d, 1w or always; once for no rule at all.")
    try fields.flag("needs_place", &needsPlace, "Whether it can be allowed for one place only.")
  }
}

/// Shows what an app may do, and what each setting did recently.
public enum AppPermissions: OwnerOperation {
  public static let properties = OperationProperties.look(
    "client/permissions", "Show what an app may do, and what each setting did recently.", from: .session, lane: .reading)

  public struct Request: Fields {
    public var app = AppRequest()
    /// 1 to 366; nil for 30.
    public var days: Int64?
    /// One more to show, whether or not the app used it.
    public var permission: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.text("permission", &permission, "One more permission to show, whether or not the app used it.")
      try fields.integer("days", &days, "How many days back the requests are counted, 1 to 366 (30).")
    }
  }

  public struct Response: Fields {
    public var days: Int64 = 0
    /// Whether there were more entries than are read, so that the oldest requests are not counted.
    public var isCut = false
    /// Those with a rule, a wish or a recent request first.
    public var permissions: [PermissionRow] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("days", &days, "How many days back the requests are counted.")
      try fields.flag("cut", &isCut, "Whether there were more requests than are read, so that the oldest are not counted.")
      try fields.objects(
        "permissions", &permissions, "What the app may ask for; what it requested, used or has a rule for comes first.")
    }
  }
}
