// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes a link that signs a browser in to the console once. A browser cannot make such a link.
public enum ConsoleLink: OwnerOperation {
  public static let properties = OperationProperties.action(
    "console/link", "Make a link that signs a browser in to the console once.", from: .controlSocket, home: .running,
    onDamagedVault: true)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var url = ""
    /// Seconds since 1970.
    public var expires: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("url", &url, "The link.")
      try fields.integer("expires", &expires, "When it expires, in seconds since 1970.")
    }
  }
}
