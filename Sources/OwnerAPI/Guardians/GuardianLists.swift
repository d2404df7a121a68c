// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the guardians, and the identities that may receive messages.
public enum GuardianList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/list", "List your guardians, and the identities that may receive messages.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var guardians: [GuardianSummary] = []
    public var identities: [Correspondent] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("guardians", &guardians, "Each guardian.")
      try fields.objects("identities", &identities, "Each identity that may receive messages.")
    }
  }
}

/// Lists the shares that are kept here for others.
public enum GuardianHeld: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/held", "List the shares that you keep for others.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var held: [HeldShare] = []
    public var isListening = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("held", &held, "Each share.")
      try fields.flag("listening", &isListening, "Whether others may give you a share now.")
    }
  }
}

/// Lists the requests for shares that are kept here, and for the owner's own.
public enum GuardianRequests: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/requests", "List the requests for shares that you keep, and for your own.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var requests: [ShareRequestSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("requests", &requests, "Each open request; those with the strongest proof come first.")
    }
  }
}

/// Lists the owner's requests to guardians.
public enum GuardianAsked: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/asked", "List your requests to guardians, and their results.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var asked: [ShareRequestSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("asked", &asked, "Each request.")
    }
  }
}
