// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the guardians, and the identities whose messages are read.
public enum GuardianList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/list", "List your guardians, and the identities whose messages are read.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var guardians: [GuardianSummary] = []
    public var identities: [Correspondent] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("guardians", &guardians, "Each guardian.")
      try fields.objects("identities", &identities, "Each identity for which messages may come.")
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
      try fields.flag("listening", &isListening, "Whether others may hand you a share now.")
    }
  }
}

/// Lists who asks for a share that is kept here, or for one of the owner's.
public enum GuardianRequests: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/requests", "List who asks for a share that you keep, or for yours.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var requests: [ShareRequestSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("requests", &requests, "Each open request, those that showed the most first.")
    }
  }
}

/// Lists what the owner asked guardians for.
public enum GuardianAsked: OwnerOperation {
  public static let properties = OperationProperties.look(
    "guardian/asked", "List what you asked guardians for, and what came of it.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var asked: [ShareRequestSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("asked", &asked, "Each request.")
    }
  }
}
