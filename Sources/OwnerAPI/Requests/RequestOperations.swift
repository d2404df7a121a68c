// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the waiting requests.
public enum RequestList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/list", "List the requests that wait for the owner.", from: .session)

  public struct Request: Fields {
    /// Nil for the requests of all apps.
    public var client: String?
    public init() {}
    public init(of client: String?) { self.client = client }
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text(
        "client", &client,
        "Only requests of this app: its name, its public key (hex or npub), or the first 4 or more digits of the key.")
    }
  }

  public struct Response: Fields {
    public var requests: [WaitingRequest] = []
    public var unread: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("requests", &requests, "Each request, oldest first.")
      try fields.leftOut.flag(
        "unread", &unread, "True when requests from before the start are listed only after the unlock; otherwise left out.")
    }
  }
}

/// Shows everything that one request would do.
public enum RequestShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/show", "Show everything that one request would do.", from: .session)
  public typealias Response = WaitingRequestDetail

  public struct Request: Fields {
    /// The id, or the first 4 or more digits of it.
    public var id = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("id", &id, "The request's id, or the first 4 or more digits of it.")
    }
  }
}

/// Reports which requests began or stopped waiting, now or when it happens.
public enum RequestWatch: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/watch", "Report which requests began or stopped waiting, at once or when it happens.", from: .controlSocket,
    home: .running)

  public struct Request: Fields {
    /// The cursor of the last response; nil for everything that waits.
    public var after: String?
    /// Seconds, at most 300; nil to answer at once.
    public var wait: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("after", &after, "The cursor of the last response; without it, everything that waits is listed.")
      try fields.integer("wait", &wait, "How long to wait for changes, in seconds, at most 300 (0).")
    }
  }

  public struct Response: Fields {
    public var cursor = ""
    /// Whether everything that waits is listed, and not only changes.
    public var isWhole = false
    public var requests: [WaitingRequest] = []
    public var ended: [EndedRequest] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("cursor", &cursor, "The cursor for the next call.")
      try fields.flag("whole", &isWhole, "Whether everything that waits is listed, and not only changes.")
      try fields.objects("requests", &requests, "The requests that began to wait.")
      try fields.objects("ended", &ended, "The requests that no longer wait.")
    }
  }
}

/// A request that no longer waits.
public struct EndedRequest: Fields {
  public var id = ""
  /// Nil when it ended without an answer of the owner.
  public var isApproved: Bool?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The request's id.")
    try fields.flag("approved", &isApproved, "Whether it was approved; null when it ended without an answer.")
  }
}
