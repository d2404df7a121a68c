// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names a guardian or a kept share, and proves the owner.
public struct EntrustedShareRequest: Fields {
  public var id = ""
  public var credential = Credential()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "Its name, as the lists show it.")
    try fields.include(&credential)
  }
}

/// Forgets a guardian, or wipes a share that is kept here for somebody.
public enum GuardianRemove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/remove", "Forget a guardian, or wipe a share that you keep for somebody.", from: .recentSignIn, proof: .always)
  public typealias Request = EntrustedShareRequest

  public struct Response: Fields {
    public var removed = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("removed", &removed, "Its name.")
    }
  }
}

/// Consents to keep a share that came unasked for.
public enum GuardianAccept: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/accept", "Agree to keep a share that waits for your consent.", from: .recentSignIn, proof: .always, home: .running)
  public typealias Request = EntrustedShareRequest

  public struct Response: Fields {
    public var accepted = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("accepted", &accepted, "Its name.")
    }
  }
}

/// On or off.
public enum Listening: String, Word { case on, off }

/// Lets others hand their shares to an identity, or not.
public enum GuardianListen: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/listen", "Let others hand their shares to you, or not.", from: .session)

  public struct Request: Fields {
    public var state = Listening.on
    /// Nil for the default one; with “off”, for all.
    public var identity: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.word("state", &state, "On or off.")
      try fields.text("identity", &identity, "The identity; without it the default one, and all of them for “off”.")
    }
  }

  public struct Response: Fields {
    public var isListening = false
    public var identities: [String] = []
    public var needsOwner = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("listening", &isListening, "Whether any identity takes shares now.")
      try fields.texts("identities", &identities, "The names of those that do.")
      try fields.flag("needs_you", &needsOwner, "Whether the messages wait until you open the identity's key.")
    }
  }
}
