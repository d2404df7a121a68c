// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the links that no app has used yet. Their secrets are not shown again.
public enum PairList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "pair/list", "List the links that no app has used yet.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var links: [UnusedLink] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("links", &links, "The links, the newest first.")
    }
  }
}

/// Cancels a link, so that no app can pair with it.
public enum PairCancel: OwnerOperation {
  public static let properties = OperationProperties.action(
    "pair/cancel", "Cancel a link that no app has used yet.", from: .session)

  public struct Request: Fields {
    /// 4 hex digits or more, the beginning of `UnusedLink.pubkey`.
    public var link = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("link", &link, "The link: its public key, or at least the first 4 digits of it.")
    }
  }

  public typealias Response = UnusedLink
}

/// A link that no app has used yet.
public struct UnusedLink: Fields {
  /// The public key that the link names, 64 hex digits.
  public var pubkey = ""
  public var identity = ""
  /// Nil if the owner named no app.
  public var name: String?
  public var trust = Trust.medium
  public var relays: [String] = []
  /// Seconds since 1970; so is `expires`.
  public var made: Int64 = 0
  public var expires: Int64 = 0
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("pubkey", &pubkey, "The public key that the link names, 64 hex digits.")
    try fields.anyText("identity", &identity, "The name of the identity that an app would sign as.")
    try fields.leftOut.text("name", &name, "Your name for the app that will use it, if you chose one.")
    try fields.word("trust", &trust, "The trust level that an app would get.")
    try fields.texts("relays", &relays, "The relays in the link.")
    try fields.integer("made", &made, "When the link was made, in seconds since 1970.")
    try fields.integer("expires", &expires, "When the link expires, in seconds since 1970.")
  }
}
