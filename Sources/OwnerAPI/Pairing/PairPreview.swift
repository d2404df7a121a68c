// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A relay that an app's link names.
public struct LinkRelay: Fields {
  public var url = ""
  /// Whether the signer uses it already.
  public var isKnown = false
  /// Whether its address is on the signer's machine or inside the owner's network, as far as the address shows.
  public var isInside = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("url", &url, "The relay's address.")
    try fields.flag("known", &isKnown, "Whether it is one of the signer's own relays.")
    try fields.flag("inside", &isInside, "Whether its address is on the signer's machine or inside your network.")
  }
}

/// A permission that an app asks for in its link, with the decision of each trust level.
public struct WantedPermission: Fields {
  /// In the form of NIP-46.
  public var permission = ""
  public var full = Verdict.ask
  public var medium = Verdict.ask
  public var low = Verdict.ask
  /// Whether a rule can allow it without asking, at least for a time.
  public var isAllowable = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "The permission in the form of NIP-46.")
    try fields.word("full", &full, "What full trust decides.")
    try fields.word("medium", &medium, "What medium trust decides.")
    try fields.word("low", &low, "What low trust decides.")
    try fields.flag("allowable", &isAllowable, "Whether a rule can allow it without asking, at least for a time.")
  }
}

/// Describes an app's link. Nothing is stored, and no relay is asked.
public enum PairPreview: OwnerOperation {
  public static let properties = OperationProperties.look(
    "pair/preview", "Describe the nostrconnect:// link that an app shows, without pairing.", from: .session)

  public struct Request: Fields {
    public var uri = ""
    /// Its name or public key; nil for the default identity.
    public var identity: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("uri", &uri, "The nostrconnect:// link.")
      try fields.text("identity", &identity, "The identity: its name or public key; without it, the default identity.")
    }
  }

  public struct Response: Fields {
    /// The app's public key, 64 hex digits.
    public var client = ""
    /// Nil if the link has none.
    public var name: String?
    public var url: String?
    /// The identity's name.
    public var identity = ""
    /// What the app has if it is paired already, else the default for new apps.
    public var trust = Trust.medium
    public var relays: [LinkRelay] = []
    public var permissions: [WantedPermission] = []
    /// The name of the same app, if it is paired already with that identity.
    public var pairedAs: String?
    /// Seconds since 1970.
    public var revokedAt: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
      try fields.text("name", &name, "The name that the app gives itself; null for none.")
      try fields.text("url", &url, "The address that the app gives, which was not checked; null for none.")
      try fields.anyText("identity", &identity, "The name of the identity that it would sign as.")
      try fields.word(
        "trust", &trust, "The trust level that it gets if none is given: the one it has, or the default for new apps.")
      try fields.objects("relays", &relays, "The relays that the link names.")
      try fields.objects("permissions", &permissions, "What the app asks for, with the decision of each trust level.")
      try fields.text("paired_as", &pairedAs, "The app's name, if it is paired with that identity already; null if it is new.")
      try fields.integer(
        "revoked_at", &revokedAt,
        "When you revoked this app, in seconds since 1970; null if you did not, or if it is paired with that identity.")
    }
  }
}
