// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request about one permission of an app.
public struct PermissionRequest: Fields {
  public var app = AppRequest()
  /// A method, or sign_event:KIND, perhaps with a person or a place behind “@”.
  public var permission = ""
  /// How long it holds; nil for always.
  public var duration: Duration?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&app)
    try fields.text("permission", &permission, "As NIP-46 writes it, perhaps for one person or place: nip44_decrypt@npub1….")
    try fields.word("for", &duration, "How long: 5m, 1h, 1d, 1w or always (always).")
  }
}

/// Allows one kind of request without asking.
public enum AppAllow: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/allow", "Allow one kind of request without asking.", from: .recentSignIn)
  public typealias Request = PermissionRequest
  public typealias Response = AppDetail
}

/// Denies one kind of request.
public enum AppDeny: OwnerOperation {
  public static let properties = OperationProperties.action("client/deny", "Deny one kind of request.", from: .session)
  public typealias Request = PermissionRequest
  public typealias Response = AppDetail
}

/// Has one kind of request asked, whatever the trust.
public enum AppAsk: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/ask", "Be asked about one kind of request, whatever the trust.", from: .recentSignIn)
  public typealias Request = PermissionRequest
  public typealias Response = AppDetail
}

/// Takes back what was said about a permission.
public enum AppForget: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/forget", "Take back what was allowed, denied or to be asked.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var permission = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.text("permission", &permission, "As NIP-46 writes it.")
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
      try fields.change("per_minute", &perMinute, "Uses of the key in a minute; null for no limit.")
      try fields.change("per_hour", &perHour, "Uses of the key in an hour; null for no limit.")
      try fields.change("per_day", &perDay, "Uses of the key in a day; null for no limit.")
    }
  }
}

/// Gives an app so many of one kind of request in a time.
public enum AppBudgetSet: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/budget", "Give an app so many of one kind of request in a time.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var permission = ""
    /// Missing is a mistake here; null takes the budget away.
    public var count = Change<Int64>.unchanged
    public var period = BudgetPeriod.day
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.text("permission", &permission, "A method, or sign_event:KIND.")
      try fields.change("count", &count, "How many; null takes the budget away.")
      try fields.word("period", &period, "1h, 1d or 1w.")
    }
  }
}

/// Pauses an app: each of its requests is asked.
public enum AppPause: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/suspend", "Pause an app: each of its requests is asked.", from: .session)
  public typealias Request = AppRequest
  public typealias Response = AppDetail
}

/// Lets an app's permissions hold again.
public enum AppResume: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/resume", "Let an app's permissions hold again.", from: .recentSignIn)
  public typealias Request = AppRequest
  public typealias Response = AppDetail
}
