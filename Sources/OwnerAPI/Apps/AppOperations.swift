// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names only an app.
public struct AppRequest: Fields {
  /// The app's name, its public key (hex or npub) or the first 4 or more digits of that, or the signer's key for the app.
  public var client = ""

  public init() {}
  public init(_ client: String) { self.client = client }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text(
      "client", &client,
      "The app: its name or, except to revoke it or to allow it more, the beginning of that; its public key (hex or npub); or the first 4 or more digits of the key."
    )
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

/// Shows an app, the permissions it requested and what it may do.
public enum AppShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "client/show", "Show an app, the permissions it requested and what it may do.", from: .session)
  public typealias Request = AppRequest
  public typealias Response = AppDetail
}

/// Renames an app.
public enum AppRename: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/rename", "Rename an app.", from: .session, needsUnlocked: true)
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

/// Sets an app's trust level.
public enum AppTrust: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/trust", "Set an app's trust level.", from: .recentSignIn)
  public typealias Response = AppDetail

  public struct Request: Fields {
    public var app = AppRequest()
    public var trust = Trust.medium
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&app)
      try fields.word("trust", &trust, "The new trust level.")
    }
  }
}

/// Ends a pairing.
public enum AppRevoke: OwnerOperation {
  public static let properties = OperationProperties.action(
    "client/revoke", "End a pairing: the app can no longer send requests.", from: .session)
  public typealias Request = AppRequest

  public struct Response: Fields {
    /// The app's public key, 64 hex digits.
    public var revoked = ""
    public var name = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("revoked", &revoked, "The app's public key, 64 hex digits.")
      try fields.anyText("name", &name, "The name it had.")
    }
  }
}
