// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One permission or several.
public struct NamedPermissions: Fields {
  /// A method, or sign_event:KIND, possibly with a person or a place after “@”.
  public var permission: String?
  /// Several, instead of `permission`. Either all are changed or none.
  public var permissions: [String]?

  public init() {}
  /// One permission is named alone, so that older signers know it.
  public init(_ named: [String]) { if named.count == 1 { permission = named[0] } else { permissions = named } }

  /// All that are named, in order.
  public var all: [String] { permissions ?? permission.map { [$0] } ?? [] }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text(
      "permission", &permission, "The permission in the form of NIP-46, possibly for one person or place: nip44_decrypt@npub1….")
    try fields.texts(
      "permissions", &permissions, "Several permissions, instead of “permission”. All of them are changed, or none.")
  }
}

/// A request about permissions of an app.
public struct PermissionRequest: Fields {
  public var app = AppRequest()
  public var named = NamedPermissions()
  /// How long the rule is valid; nil for always.
  public var duration: Duration?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&app)
    try fields.include(&named)
    try fields.duration("for", &duration, "How long the rule is valid: \(Duration.form), or always (always).")
  }
}

/// Allows one kind of request without asking.
public enum AppAllow: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/allow", "Allow one or more kinds of requests without asking.", from: .recentSignIn)
  public typealias Request = PermissionRequest
  public typealias Response = AppDetail
}

/// Denies one kind of request.
public enum AppDeny: OwnerOperation {
  public static let properties = OperationProperties.action("client/deny", "Deny one or more kinds of requests.", from: .session)
  public typealias Request = PermissionRequest
  public typealias Response = AppDetail
}

/// Always asks the owner about one kind of request, whatever the trust level.
public enum AppAsk: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/ask", "Always ask the owner about one or more kinds of requests, whatever the trust level.", from: .recentSignIn)
  public typealias Request = PermissionRequest
  public typealias Response = AppDetail
}

/// Removes the rules for a permission.
public enum AppForget: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/forget", "Remove the rules for one or more permissions.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var named = NamedPermissions()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.include(&named)
    }
  }
}

/// Limits how much an app may do without asking.
public enum AppLimit: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/limit", "Limit how much an app may do without asking.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var perMinute = Change<Int64>.unchanged
    public var perHour = Change<Int64>.unchanged
    public var perDay = Change<Int64>.unchanged
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.change("per_minute", &perMinute, "The most uses of the key in a minute; null for no limit.")
      try fields.change("per_hour", &perHour, "The most uses of the key in an hour; null for no limit.")
      try fields.change("per_day", &perDay, "The most uses of the key in a day; null for no limit.")
    }
  }
}

/// Sets how many requests of one kind an app may make in a period.
public enum AppBudgetSet: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/budget", "Set how many requests of one kind an app may make in a period.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var permission = ""
    /// A missing member is an error here; null removes the budget.
    public var count = Change<Int64>.unchanged
    public var period = BudgetPeriod.day
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.text("permission", &permission, "A method, or sign_event:KIND.")
      try fields.change("count", &count, "How many requests are allowed; null removes the budget.")
      try fields.word("period", &period, "The period: 1h, 1d or 1w.")
    }
  }
}

/// Pauses an app: the owner is asked about each of its requests.
public enum AppPause: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/suspend", "Pause an app: the owner is asked about each of its requests.", from: .session)
  public typealias Request = AppRequest
  public typealias Response = AppDetail
}

/// Resumes a paused app.
public enum AppResume: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/resume", "Resume a paused app: its permissions apply again.", from: .recentSignIn)
  public typealias Request = AppRequest
  public typealias Response = AppDetail
}
