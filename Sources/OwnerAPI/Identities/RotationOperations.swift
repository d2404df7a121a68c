// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// Gives an identity a new key, and publishes the change.
public enum IdentityRotate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/rotate", "Give an identity a new key, retire the old one, and publish the change.", from: .recentSignIn,
    proof: .sometimes, lane: .beside)

  public struct Request: Fields {
    /// An identity, or the key of a former identity whose succession was prepared.
    public var identity = IdentityName()
    /// The new identity's name; nil for the old name with a number.
    public var to: String?
    /// In addition to those in the identity's relay list.
    public var relays: [String] = []
    /// Changes nothing and requires no proof. Everything else does, except continuing a rotation.
    public var isPlan = false
    public var isCompromised = false
    public var hasNote = false
    public var movesApps = false
    public var usesSuccession = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.text("to", &to, "The new identity's name; without it, the old name with a number.")
      try fields.texts("relays", &relays, "Relays where the identity is read, in addition to those in its relay list.")
      try fields.flag("plan", &isPlan, "Change nothing and only show what would be published where.")
      try fields.flag("compromised", &isCompromised, "Declare that others may have the old key, and copy what was signed here.")
      try fields.flag("note", &hasNote, "Publish a note for people, signed by the old key.")
      try fields.flag("move_apps", &movesApps, "Make a new link for each app that is paired with the old key.")
      try fields.flag("use_succession", &usesSuccession, "Publish the statement that was signed in advance.")
      try fields.include(&credential)
    }
  }

  /// A link for an app, to pair with the new key.
  public struct Link: Fields {
    /// The app's name.
    public var app = ""
    /// The app's public key, 64 hex digits.
    public var client = ""
    public var trust = Trust.medium
    public var bunker = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("app", &app, "The app's name.")
      try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
      try fields.word("trust", &trust, "The app's trust level when it pairs.")
      try fields.anyText("bunker", &bunker, "The bunker:// link, which works once.")
    }
  }

  /// `plan` when only that was requested and no rotation has begun; otherwise `rotation`, with `links` when something was done.
  public struct Response: Fields {
    public var plan: RotationPlan?
    public var rotation: RotationSummary?
    public var links: [Link]?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.leftOut.object("plan", &plan, "What would be done.")
      try fields.leftOut.object("rotation", &rotation, "What was done.")
      try fields.leftOut.objects("links", &links, "The new links for apps.")
    }
  }
}

/// Shows the rotations of keys.
public enum IdentityRotation: OwnerOperation {
  public static let properties = OperationProperties.look(
    "identity/rotation", "Show which keys were replaced by which, and what relays have accepted.", from: .session)

  public struct Request: Fields {
    /// Either key of a rotation, or an identity's name; nil for all.
    public var name: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("name", &name, "Only this identity: its name or public key (npub or hex).")
    }
  }

  public struct Response: Fields {
    public var rotations: [RotationSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("rotations", &rotations, "Each rotation.")
    }
  }
}

/// Signs in advance which key will replace an identity's key.
public enum IdentitySuccession: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/succession", "Sign in advance which key will replace an identity's key, or show that statement.",
    from: .recentSignIn, proof: .sometimes, lane: .beside)

  public struct Request: Fields {
    public var identity = IdentityName()
    /// A name for a new key, or the name, npub or hex of an existing one; nil for a new key.
    public var to: String?
    public var renews = false
    /// Only shows the stored statement, which requires no proof.
    public var onlyShows = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.text("to", &to, "A name for the successor, or an existing key; without it, a new key.")
      try fields.flag("renew", &renews, "Sign another statement, which replaces the stored one.")
      try fields.flag("show", &onlyShows, "Only show the stored statement.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var identity = NamedKey()
    public var successor = NamedKey()
    /// Seconds since 1970.
    public var made: Int64 = 0
    /// Whether it was signed just now.
    public var isNew = false
    /// A signed event.
    public var statement: JSONValue?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("identity", &identity, "The key that will be replaced.")
      try fields.object("successor", &successor, "The key that the statement names.")
      try fields.integer("made", &made, "When the statement was signed, in seconds since 1970.")
      try fields.flag("new", &isNew, "Whether it was signed just now.")
      try fields.json("statement", &statement, "The statement, a signed event.")
    }
  }
}
