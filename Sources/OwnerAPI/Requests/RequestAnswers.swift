// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Which requests are answered, and what is remembered of it.
public struct RequestAnswer: Fields {
  /// One request: if it does not wait, that is an error.
  public var id: String?
  /// Several, in place of `id`: those that do not wait are named in the answer.
  public var ids: [String]?
  /// Nil for once.
  public var remember: Duration?
  /// Nil for one as narrow as the request.
  public var permission: String?

  public init() {}
  public init(id: String) { self.id = id }
  public init(ids: [String]) { self.ids = ids }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "The request's id, or the id's first 4 or more digits.")
    try fields.texts("ids", &ids, "The ids of several requests, in place of “id”.")
    try fields.word("remember", &remember, "How long the answer holds for what is alike (once).")
    try fields.text("permission", &permission, "What it is remembered for; without it, for requests just like this one.")
  }
}

/// What came of an answer to requests.
public struct AnsweredRequests: Fields {
  /// The ids of requests; so is `also`.
  public var answered: [String] = []
  public var missing: [UnansweredRequest] = []
  public var also: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.texts("answered", &answered, "The ids of the requests that were answered.")
    try fields.objects("missing", &missing, "The requests that were not answered, and why.")
    try fields.texts("also", &also, "The ids of other requests that were decided by what is remembered.")
  }
}

/// A request that was named and not answered.
public struct UnansweredRequest: Fields {
  /// As it was named.
  public var id = ""
  public var why = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The id, as it was named.")
    try fields.anyText("why", &why, "Why it was not answered.")
  }
}

/// Approves requests that wait.
public enum RequestApprove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "request/approve", "Approve requests that wait.", from: .session, proof: .sometimes, home: .running)
  public typealias Response = AnsweredRequests

  public struct Request: Fields {
    public var answer = RequestAnswer()
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&answer)
      try fields.include(&credential)
    }
  }
}

/// Refuses requests that wait.
public enum RequestDeny: OwnerOperation {
  public static let properties = OperationProperties.action(
    "request/deny", "Refuse requests that wait.", from: .session, home: .running)
  public typealias Request = RequestAnswer
  public typealias Response = AnsweredRequests
}
