// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes a link that signs a browser in to the console once. A browser cannot make such a link.
public enum ConsoleLink: OwnerOperation {
  public static let properties = OperationProperties.action(
    "console/link", "Make a link that signs a browser in to the console once.", from: .controlSocket, home: .running,
    onDamagedVault: true)

  public struct Request: Fields {
    /// For a link that other users of the machine can see while a browser is started with it.
    public var isForThisUser = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag(
        "for_this_user", &isForThisUser, "Whether only browsers of the signer's own user on this machine may use the link.")
    }
  }

  public struct Response: Fields {
    public var url = ""
    /// Seconds since 1970.
    public var expires: Int64 = 0
    /// Nil if any browser may use the link.
    public var isForThisUser: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("url", &url, "The link.")
      try fields.integer("expires", &expires, "When it expires, in seconds since 1970.")
      try fields.leftOut.flag(
        "for_this_user", &isForThisUser,
        "True when only browsers of the signer's own user on this machine may use it; otherwise left out.")
    }
  }
}
