// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names only a request for a share.
public struct ShareRequestChoice: Fields {
  public var id = ""

  public init() {}
  public init(_ id: String) { self.id = id }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "The id of the request in guardian/requests.")
  }
}

/// The present state of the request for the share. Has no members when the request is no longer known.
public struct ShareRequestAnswer: Fields {
  public var request: ShareRequestSummary?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) { try fields.part(&request, knownBy: "id") }
}

/// Approves a request: the share is given when the waiting time is over.
public enum GuardianRelease: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/release", "Approve a request: the share is given when the waiting time is over.", from: .recentSignIn,
    proof: .always,
    home: .running)
  public typealias Response = ShareRequestAnswer

  public struct Request: Fields {
    public var request = ShareRequestChoice()
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&request)
      try fields.include(&credential)
    }
  }
}

/// Refuses a request for a share that is kept here.
public enum GuardianRefuse: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/refuse", "Refuse a request for a share that you keep.", from: .session, home: .running)
  public typealias Request = ShareRequestChoice
  public typealias Response = ShareRequestAnswer
}

/// Cancels a request for the owner's own share.
public enum GuardianCancel: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/cancel", "Cancel a request for your own share.", from: .session, home: .running)
  public typealias Request = ShareRequestChoice
  public typealias Response = ShareRequestAnswer
}
