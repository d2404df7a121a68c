// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the identities.
public enum IdentityList: OwnerOperation {
  public static let properties = OperationProperties.look("identity/list", "List the identities.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var identities: [IdentitySummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("identities", &identities, "Each identity.")
    }
  }
}

/// Shows one identity.
public enum IdentityShow: OwnerOperation {
  public static let properties = OperationProperties.look("identity/show", "Show one identity.", from: .session)
  public typealias Request = IdentityNameOrDefault
  public typealias Response = IdentitySummary
}

/// Renames an identity.
public enum IdentityRename: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/rename", "Rename an identity.", from: .recentSignIn, needsUnlocked: true)
  public typealias Response = IdentitySummary

  public struct Request: Fields {
    public var identity = IdentityName()
    /// The new name, 1 to 64 bytes.
    public var to = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.text("to", &to, "The new name.")
    }
  }
}

/// Makes an identity the default.
public enum IdentityDefault: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/default", "Make an identity the default, which is used when none is named.", from: .recentSignIn,
    needsUnlocked: true)
  public typealias Request = IdentityName
  public typealias Response = IdentitySummary
}

/// Sets an identity's colour, emoji, relays and notes.
public enum IdentitySet: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/set", "Set an identity's colour, emoji, relays and notes.", from: .session)
  public typealias Response = IdentitySummary

  public struct Request: Fields {
    public var identity = IdentityName()
    /// `#rrggbb`, or a colour's name.
    public var colour = Change<String>.unchanged
    public var emoji = Change<String>.unchanged
    public var relays = Change<[String]>.unchanged
    public var notes = Change<String>.unchanged
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.change("colour", &colour, "Its colour: #rrggbb, or a name such as teal; an empty text removes it.")
      try fields.change("emoji", &emoji, "One emoji; an empty text removes it.")
      try fields.change("relays", &relays, "The relays that it writes to, which replace the present ones.")
      try fields.change("notes", &notes, "Notes for the owner; an empty text removes them.")
    }
  }
}

/// Sets when an identity's key can be used.
public enum IdentityClass: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/class", "Set when an identity's key can be used: encrypt it and its words under another class.",
    from: .recentSignIn, proof: .always)
  public typealias Response = IdentitySummary

  public struct Request: Fields {
    public var identity = IdentityName()
    public var protection = KeyProtection.whenUnlocked
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.word("class", &protection, "The new class.")
      try fields.include(&credential)
    }
  }
}

/// Forgets what was signed at one coordinate, so that it accepts events again.
public enum IdentityResetEvent: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/reset-event", "Forget what was signed for one replaceable event, so that it accepts new versions again.",
    from: .recentSignIn, needsUnlocked: true)

  public struct Request: Fields {
    public var identity = IdentityName()
    /// 0 to 65535, and a kind whose events replace each other.
    public var kind: Int64 = 0
    /// For kinds 30000 to 39999; nil for the event whose “d” tag is empty.
    public var d: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.integer("kind", &kind, "The kind of the event, 0 to 65535.")
      try fields.text("d", &d, "The event's “d” tag, for kinds 30000 to 39999.")
    }
  }

  public struct Response: Fields {
    public var name = ""
    /// 64 hex digits.
    public var pubkey = ""
    public var kind: Int64 = 0
    /// Nil for a kind with one event.
    public var d: String?
    public var isReset = true
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("name", &name, "The identity's name.")
      try fields.anyText("pubkey", &pubkey, "The identity's public key, 64 hex digits.")
      try fields.integer("kind", &kind, "The kind of the event.")
      try fields.text("d", &d, "The event's “d” tag; null for a kind that has one event.")
      try fields.flag("reset", &isReset, "Always true.")
    }
  }
}
