// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes a link for an app.
public enum PairNew: OwnerOperation {
  public static let properties = OperationProperties.action(
    "pair/new", "Make a bunker:// link that pairs one app.", from: .recentSignIn)

  public struct Request: Fields {
    /// Its name or public key; nil for the default identity.
    public var identity: String?
    /// Nil for the default trust level from policy/set.
    public var trust: Trust?
    /// Empty for the signer's own.
    public var relays: [String] = []
    /// Seconds, 1 to 31536000; nil for the default time.
    public var expires: Int64?
    /// The owner's name for the app; nil leaves it to the app.
    public var name: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("identity", &identity, "The identity: its name or public key; without it, the default identity.")
      try fields.word("trust", &trust, "The app's trust level; without it, the default from policy/set.")
      try fields.text("name", &name, "Your name for the app, at most 64 bytes; without it, the app's own.")
      try fields.texts("relays", &relays, "The relays in the link; without any, the signer's own.")
      try fields.integer("expires", &expires, "How long the link is valid, in seconds, at most a year.")
    }
  }

  public struct Response: Fields {
    public var bunker = ""
    /// The public key that the signer uses for the app, 64 hex digits.
    public var pubkey = ""
    /// The identity's name.
    public var identity = ""
    public var npub = ""
    public var relays: [String] = []
    public var trust = Trust.medium
    /// Seconds since 1970.
    public var expires: Int64 = 0
    /// Nil when no signer runs, so that no relay was tried.
    public var unreached: [String]?
    public var isThisMachineOnly = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("bunker", &bunker, "The bunker:// link.")
      try fields.anyText("pubkey", &pubkey, "The public key that the signer uses for the app, 64 hex digits.")
      try fields.anyText("identity", &identity, "The name of the identity that the app signs as.")
      try fields.anyText("npub", &npub, "The identity's public key as an npub.")
      try fields.texts("relays", &relays, "The relays in the link.")
      try fields.word("trust", &trust, "The app's trust level.")
      try fields.integer("expires", &expires, "When the link expires, in seconds since 1970.")
      try fields.leftOut.texts("unreached", &unreached, "The relays of the link that the signer is not connected to yet.")
      try fields.flag(
        "this_machine_only", &isThisMachineOnly,
        "Whether every relay of the link is on the signer's machine, so that apps on other machines cannot use it.")
    }
  }
}

/// Accepts an app's link.
public enum PairAccept: OwnerOperation {
  public static let properties = OperationProperties.action(
    "pair/accept", "Accept the nostrconnect:// link that an app shows.", from: .recentSignIn, home: .running)

  public struct Request: Fields {
    public var uri = ""
    /// Its name or public key; nil for the default identity.
    public var identity: String?
    /// Nil for the trust that the app has; for a new app, the default from policy/set.
    public var trust: Trust?
    /// Whether the link's relays may be on this machine or in the owner's network.
    public var allowsLocalRelays = false
    /// Each as `allow=sign_event:1`; at most 64.
    public var rules: [String] = []
    /// The owner's name for the app; nil leaves it to the app.
    public var name: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("uri", &uri, "The nostrconnect:// link.")
      try fields.text("identity", &identity, "The identity: its name or public key; without it, the default identity.")
      try fields.word("trust", &trust, "The app's trust level; without it, the one it has, or the default from policy/set.")
      try fields.text("name", &name, "Your name for the app, at most 64 bytes; without it, the one it has, or its own.")
      try fields.flag("local_relays", &allowsLocalRelays, "The link's relays may be on this machine or in your network.")
      try fields.texts(
        "rules", &rules, "Rules for the app from the beginning: allow=PERMISSION, ask=PERMISSION or deny=PERMISSION.")
    }
  }

  public struct Response: Fields {
    /// The app's public key, 64 hex digits.
    public var client = ""
    public var name = ""
    /// The identity's name.
    public var identity = ""
    public var trust = Trust.medium
    /// The trust of the same app until now; nil if it is new.
    public var trustBefore: Trust?
    /// Seconds since 1970.
    public var revokedAt: Int64?
    public var relays: [String] = []
    /// In the form of NIP-46.
    public var permissions: [String] = []
    public var localRelays: [String] = []
    /// Nil while it is not known.
    public var unreached: [String]?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
      try fields.anyText("name", &name, "The app's name.")
      try fields.anyText("identity", &identity, "The name of the identity that it signs as.")
      try fields.word("trust", &trust, "The app's trust level.")
      try fields.word("trust_before", &trustBefore, "The trust level that it had, if it was paired already; null if it is new.")
      try fields.integer(
        "revoked_at", &revokedAt,
        "When you revoked this app, in seconds since 1970; null if you did not, or if it was still paired with that identity.")
      try fields.texts("relays", &relays, "The relays through which the signer communicates with the app.")
      try fields.texts("permissions", &permissions, "The permissions that the app requested in its link.")
      try fields.texts("local_relays", &localRelays, "The link's relays on this machine or inside the owner's network.")
      try fields.leftOut.texts("unreached", &unreached, "The link's relays that the signer is not connected to yet.")
    }
  }
}
