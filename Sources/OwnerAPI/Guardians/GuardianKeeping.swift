// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names a guardian or a kept share, with the owner's proof.
public struct EntrustedShareRequest: Fields {
  public var id = ""
  public var credential = Credential()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "The id from the lists.")
    try fields.include(&credential)
  }
}

/// Removes a guardian, or deletes a share that is kept here for somebody.
public enum GuardianRemove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/remove", "Remove a guardian, or delete a share that you keep for somebody.", from: .recentSignIn, proof: .always)
  public typealias Request = EntrustedShareRequest

  public struct Response: Fields {
    public var removed = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("removed", &removed, "Its id.")
    }
  }
}

/// Accepts a share that arrived without being asked for.
public enum GuardianAccept: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/accept", "Accept a share that waits for your consent.", from: .recentSignIn, proof: .always, home: .running)
  public typealias Request = EntrustedShareRequest

  public struct Response: Fields {
    public var accepted = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("accepted", &accepted, "Its id.")
    }
  }
}

/// On or off.
public enum Listening: String, Word { case on, off }

/// Allows or stops others to give their shares to an identity.
public enum GuardianListen: OwnerOperation {
  public static let properties = OperationProperties.action(
    "guardian/listen", "Allow others to give you their shares, or stop it.", from: .session, needsUnlocked: true)

  public struct Request: Fields {
    public var state = Listening.on
    /// Nil for the default one; with “off”, for all identities.
    public var identity: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.word("state", &state, "On or off.")
      try fields.text("identity", &identity, "The identity; without it, the default one, or all of them for “off”.")
    }
  }

  public struct Response: Fields {
    public var isListening = false
    public var identities: [String] = []
    public var needsOwner = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("listening", &isListening, "Whether any identity accepts shares now.")
      try fields.texts("identities", &identities, "The names of the identities that do.")
      try fields.flag("needs_you", &needsOwner, "Whether the messages wait until you open the identity's key.")
    }
  }
}
