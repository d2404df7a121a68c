// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What became of a request that the owner approved.
public struct RequestOutcome: Fields {
  /// How far it got.
  public enum State: String, Word {
    /// It is not carried out yet.
    case doing
    /// It is carried out, and no relay took the answer yet.
    case done
    case delivered
    /// No relay took the answer.
    case undelivered
    case failed
  }

  public var id = ""
  public var state = State.doing
  /// The end of a sentence; nil unless it failed.
  public var failure: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The request's id.")
    try fields.word("state", &state, "How far it got: whether it was carried out, and whether the app's answer was taken.")
    try fields.leftOut.text("failure", &failure, "Why it failed, in words.")
  }
}

/// Says what became of requests that were approved.
public enum RequestOutcomes: OwnerOperation {
  public static let properties = OperationProperties.look(
    "request/outcome", "Say what became of requests that the owner approved a moment ago.", from: .controlSocket, home: .running)

  public struct Request: Fields {
    public var ids: [String] = []
    public init() {}
    public init(of ids: [String]) { self.ids = ids }
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.texts("ids", &ids, "The ids of the requests, whole.")
    }
  }

  public struct Response: Fields {
    public var outcomes: [RequestOutcome] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("outcomes", &outcomes, "Each of these requests, without those that the signer has forgotten.")
    }
  }
}
