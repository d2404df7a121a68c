// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Something that still contains a key after its identity is deleted.
public struct KeyCopy: Fields {
  /// `recovery kit`, `export as` with the format, `backup`, or `words`.
  public var what = ""
  /// A recovery kit's id.
  public var kit: String?
  /// When the kit was last tested, in seconds since 1970; nil for never.
  public var lastTested: Int64?
  /// Whether an export or a backup is encrypted.
  public var isEncrypted: Bool?
  /// When an export or a backup was last made, in seconds since 1970.
  public var lastTime: Int64?
  /// Another identity from the same words.
  public var of: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("what", &what, "What it is: recovery kit, export as FORMAT, backup, or words.")
    try fields.leftOut.text("kit", &kit, "A recovery kit's id.")
    if kit != nil || fields.mode == .describing {
      try fields.integer("last_tested", &lastTested, "When the kit was last tested, in seconds since 1970; null for never.")
    }
    try fields.leftOut.flag("encrypted", &isEncrypted, "Whether an export or a backup is encrypted.")
    try fields.leftOut.integer("last_time", &lastTime, "When it was last made, in seconds since 1970.")
    try fields.leftOut.text("of", &of, "Another identity from the same words.")
  }
}

/// Deletes an identity and its key.
public enum IdentityDelete: OwnerOperation {
  public static let properties = OperationProperties.action(
    "identity/delete", "Delete an identity and its key permanently.", from: .recentSignIn, proof: .sometimes, lane: .reading)

  public struct Request: Fields {
    public var identity = IdentityName()
    /// Only shows what would be deleted. This requires no proof; a deletion does.
    public var isPlan = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&identity)
      try fields.flag("plan", &isPlan, "Change nothing and only show what would be deleted. This requires no proof.")
      try fields.include(&credential)
    }
  }

  /// What would be deleted.
  public struct Plan: Fields {
    /// The identity's name.
    public var identity = ""
    public var npub = ""
    public var apps: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("identity", &identity, "The name of the identity that would be deleted.")
      try fields.anyText("npub", &npub, "Its public key as an npub.")
      try fields.integer("apps", &apps, "How many apps are paired with it.")
    }
  }

  /// What was deleted.
  public struct Deleted: Fields {
    /// The identity's name.
    public var name = ""
    /// 64 hex digits.
    public var pubkey = ""
    public var appsRevoked: Int64 = 0
    /// The name of the identity that is the default one now. Nil if that did not change, or if none is left.
    public var newDefault: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("deleted", &name, "The name of the deleted identity.")
      try fields.anyText("pubkey", &pubkey, "Its public key, 64 hex digits.")
      try fields.integer("apps_revoked", &appsRevoked, "How many apps were paired with it.")
      try fields.leftOut.text(
        "new_default", &newDefault, "The name of the identity that is the default one now, if the deleted one was.")
    }
  }

  /// Either `plan` or `deleted`.
  public struct Response: Fields {
    public var plan: Plan?
    public var deleted: Deleted?
    /// Nil when it cannot be read now.
    public var stillIn: [KeyCopy]?
    /// Whether the log begins after the key was made, so that it does not know what was made of it before.
    public var isLogYounger = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&plan, knownBy: "identity")
      try fields.part(&deleted, knownBy: "deleted")
      try fields.objects("still_in", &stillIn, "What still contains the key, as far as known; null when it cannot be read now.")
      try fields.flag(
        "log_begins_later", &isLogYounger,
        "Whether the log begins after the key was made, so that there may be copies unknown to it.")
    }
  }
}
