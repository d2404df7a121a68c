// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the requests that wait.
public enum RequestList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/list", "List the requests that wait for the owner.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var requests: [WaitingRequest] = []
    public var unread: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("requests", &requests, "Each request, the oldest first.")
      try fields.leftOut.flag(
        "unread", &unread, "True when requests of before the start are listed only after the unlocking; else left out.")
    }
  }
}

/// Shows all that one request would do.
public enum RequestShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/show", "Show all that one request would do.", from: .session)
  public typealias Response = WaitingRequestDetail

  public struct Request: Fields {
    /// Or its first 4 or more digits.
    public var id = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("id", &id, "The request's id, or the id's first 4 or more digits.")
    }
  }
}

/// Tells which requests began or ended to wait, now or when it happens.
public enum RequestWatch: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/watch", "Say which requests began or ended to wait, at once or when it happens.", from: .controlSocket,
    home: .running)

  public struct Request: Fields {
    /// The cursor of the last answer; nil for all that waits.
    public var after: String?
    /// Seconds, at most 300; nil to answer at once.
    public var wait: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("after", &after, "The cursor of the last answer; without it, everything that waits is told.")
      try fields.integer("wait", &wait, "How long to wait for news, in seconds, at most 300 (0).")
    }
  }

  public struct Response: Fields {
    public var cursor = ""
    /// Whether everything that waits is told, and not only what is new.
    public var isWhole = false
    public var requests: [WaitingRequest] = []
    public var ended: [EndedRequest] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("cursor", &cursor, "What to ask with next time.")
      try fields.flag("whole", &isWhole, "Whether everything that waits is told, and not only what is new.")
      try fields.objects("requests", &requests, "The requests that began to wait.")
      try fields.objects("ended", &ended, "The requests that wait no more.")
    }
  }
}

/// A request that waits no more.
public struct EndedRequest: Fields {
  public var id = ""
  /// Nil where it ended without an answer of the owner.
  public var isApproved: Bool?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The request's id.")
    try fields.flag("approved", &isApproved, "Whether it was approved; null where it ended without an answer.")
  }
}
