// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The requests to answer, and what to remember.
public struct RequestAnswer: Fields {
  /// One request. It is an error if it does not wait.
  public var id: String?
  /// Several requests, instead of `id`. Those that do not wait are named in the response.
  public var ids: [String]?
  /// Nil for once.
  public var remember: Duration?
  /// Nil for a permission as narrow as the request.
  public var permission: String?

  public init() {}
  public init(id: String) { self.id = id }
  public init(ids: [String]) { self.ids = ids }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "The request's id, or the first 4 or more digits of it.")
    try fields.texts("ids", &ids, "The ids of several requests, instead of “id”.")
    try fields.duration(
      "remember", &remember, "How long the answer applies to similar requests: once, \(Duration.form), or always (once).")
    try fields.text("permission", &permission, "The permission to remember; without it, one for requests just like this one.")
  }
}

/// The result of answering requests.
public struct AnsweredRequests: Fields {
  /// The ids of requests. So are those in `also`.
  public var answered: [String] = []
  /// Nil if several were named.
  public var title: String?
  public var missing: [UnansweredRequest] = []
  public var isWhole = true
  public var also: [String] = []
  /// Nil if several were named, or if none is left.
  public var alike: [String]?
  /// Nil if nothing is remembered.
  public var rules: [String]?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.texts("answered", &answered, "The ids of the requests that were answered.")
    try fields.leftOut.text("title", &title, "What the answered request asks for, and the app, if one was named.")
    try fields.objects("missing", &missing, "The requests that were not answered, and why.")
    try fields.flag("ok", &isWhole, "Whether all requests that were named are answered.")
    try fields.texts("also", &also, "The ids of other requests that the remembered answer decided.")
    try fields.leftOut.texts(
      "alike", &alike, "The ids of requests that still wait and can be answered together with such a one, if one was named.")
    try fields.leftOut.texts(
      "rules", &rules, "The rules that apply from now on, if the answer is remembered: allow=PERMISSION or deny=PERMISSION.")
  }
}

/// A request that was named but not answered.
public struct UnansweredRequest: Fields {
  /// As given by the caller.
  public var id = ""
  public var why = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The id, as given.")
    try fields.anyText("why", &why, "Why it was not answered.")
  }
}

/// Approves waiting requests.
public enum RequestApprove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "request/approve", "Approve waiting requests.", from: .session, proof: .sometimes, home: .running)
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

/// Denies waiting requests.
public enum RequestDeny: OwnerOperation {
  public static let properties = OperationProperties.action(
    "request/deny", "Deny waiting requests.", from: .session, home: .running)
  public typealias Request = RequestAnswer
  public typealias Response = AnsweredRequests
}
