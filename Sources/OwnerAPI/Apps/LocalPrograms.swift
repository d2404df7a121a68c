// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A program on this machine that asks over the apps' socket, as the kernel describes it.
public struct LocalProgram: Fields {
  public var path = ""
  public var sha256 = ""
  /// The user's number.
  public var user: Int64 = 0
  public var unit: String?
  public var sandbox: String?
  public var isInterpreter = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("path", &path, "The path of its executable file.")
    try fields.anyText(
      "sha256", &sha256, "SHA-256 of that file, 64 hex digits. An updated program has another one, and asks anew.")
    try fields.integer("user", &user, "The number of the user it runs as.")
    try fields.text("unit", &unit, "The systemd service it is part of; null for none.")
    try fields.text(
      "sandbox", &sandbox,
      "What confines it: “flatpak:NAME”, “snap:NAME”, or “container” if it sees other files than the signer; null for nothing.")
    try fields.flag("interpreter", &isInterpreter, "Whether it runs any script, so that the file does not show what is done.")
  }
}

/// A site that asks through the browser extension.
public struct LocalSite: Fields {
  public var origin = ""
  public var browser = ""
  public var extensionID = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("origin", &origin, "Its origin, as “https://example.com”.")
    try fields.anyText("browser", &browser, "The path of the browser's executable file.")
    try fields.anyText("extension", &extensionID, "The id of the browser extension.")
  }
}

/// The links with answers to one place.
public struct LocalLink: Fields {
  public var callback = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText(
      "callback", &callback, "Where the answers go: an origin as “https://example.com”, or an app's scheme as “myapp:”.")
  }
}

/// Lists the programs, sites and links that asked.
public enum LocalList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "local/list", "List the programs, sites and links on this machine that asked for signatures.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var programs: [AppSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("programs", &programs, "Each program, site and link, once for each identity that it asked for.")
    }
  }
}

/// Lets a program, a site or links in, with a trust level.
public enum LocalTrust: OwnerOperation {
  public static let properties = OperationProperties.action(
    "local/trust", "Let a program, a site or links in, and set the trust level.", from: .recentSignIn)
  public typealias Request = AppTrust.Request
  public typealias Response = AppDetail
}

/// Forgets a program, a site or links.
public enum LocalRevoke: OwnerOperation {
  public static let properties = OperationProperties.action(
    "local/revoke", "Take back what a program, a site or links may do. If they ask again, the owner is asked as at first use.",
    from: .session)
  public typealias Request = AppRequest
  public typealias Response = AppRevoke.Response
}
