// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names an app and nothing else.
public struct AppRequest: Fields {
  /// The app's name, public key (hex or npub), the key's first 4 or more digits, or the key that answers it.
  public var client = ""

  public init() {}
  public init(_ client: String) { self.client = client }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("client", &client, "The app: its name, public key (hex or npub), or the key's first 4 or more digits.")
  }
}

/// Lists the paired apps.
public enum AppList: OwnerOperation {
  public static let properties = OperationProperties.look("client/list", "List the paired apps.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var clients: [AppSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("clients", &clients, "Each paired app.")
    }
  }
}

/// Shows one app, what it asked for and what it may do.
public enum AppShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "client/show", "Show one app, what it asked for and what it may do.", from: .session)
  public typealias Request = AppRequest
  public typealias Response = AppDetail
}

/// Gives an app another name.
public enum AppRename: OwnerOperation {
  public static let properties = OperationProperties.action("client/rename", "Give an app another name.", from: .session)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var name = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.text("name", &name, "The new name.")
    }
  }
}

/// Sets how far an app is trusted.
public enum AppTrust: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/trust", "Set how far an app is trusted.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var trust = Trust.medium
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.word("trust", &trust, "How far it is trusted.")
    }
  }
}

/// Ends a pairing.
public enum AppRevoke: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/revoke", "End a pairing: the app can ask for nothing any more.", from: .session)
  public typealias Request = AppRequest

  public struct Response: Fields {
    /// The app's public key, 64 hex digits.
    public var revoked = ""
    public var name = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("revoked", &revoked, "The app's public key, 64 hex digits.")
      try fields.anyText("name", &name, "What it was called.")
    }
  }
}
