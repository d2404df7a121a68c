// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names a request for a share and nothing else.
public struct ShareRequestChoice: Fields {
  public var id = ""

  public init() {}
  public init(_ id: String) { self.id = id }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "The request, as guardian/requests names it.")
  }
}

/// The request for a share as it is now; without members when it is not known any more.
public struct ShareRequestAnswer: Fields {
  public var request: ShareRequestSummary?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) { try fields.part(&request, knownBy: "id") }
}

/// Says yes: the share is given when its waiting time is over.
public enum GuardianRelease: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/release", "Say yes: the share is given when its waiting time is over.", from: .recentSignIn, proof: .always,
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

/// Says no to a request for a share that is kept here.
public enum GuardianRefuse: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/refuse", "Say no to a request for a share that you keep.", from: .session, home: .running)
  public typealias Request = ShareRequestChoice
  public typealias Response = ShareRequestAnswer
}

/// Stops a request for the owner's own share.
public enum GuardianCancel: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/cancel", "Stop a request for your own share.", from: .session, home: .running)
  public typealias Request = ShareRequestChoice
  public typealias Response = ShareRequestAnswer
}
