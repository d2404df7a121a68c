// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// Shows the rules for all apps or for one.
public enum PolicyShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "policy/show", "Show what is allowed, asked and denied, for all apps or for one.", from: .session)
  public typealias Response = PolicySummary

  public struct Request: Fields {
    /// As in `AppRequest`; nil for the rules for all apps.
    public var client: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text(
        "client", &client, "The app: its name, its public key (hex or npub), or the first 4 or more digits of the key.")
    }
  }
}

/// Changes the rules for all apps.
public enum PolicySet: OwnerOperation {
  public static let properties = OperationProperties.action(
    "policy/set", "Change the rules for all apps.", from: .recentSignIn)
  public typealias Response = PolicySummary

  /// At least one of the two.
  public struct Request: Fields {
    public var defaultTrust: Trust?
    /// Percent, 0 to 100.
    public var followShare: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.word("default_trust", &defaultTrust, "The trust level of a new app, if none is given.")
      try fields.integer("follow_share", &followShare, "Ask about a follow list that drops more than this share, in percent.")
    }
  }
}

/// Shows what the present rules, or changed ones, would decide.
public enum PolicyExplain: OwnerOperation {
  public static let properties = OperationProperties.look(
    "policy/explain", "Show what the present rules, or changed ones, would decide.", from: .session, lane: .reading)

  public struct Request: Fields {
    /// As in `AppRequest`; nil for all apps, which is possible only for the log's requests.
    public var client: String?
    /// A request as an app sends it, an event alone, or either as a text. Nil only with `permission` or `usesLog`.
    public var request: JSONValue?
    /// In the form of NIP-46, instead of `request`.
    public var permission: String?
    /// Whether the log's past requests are explained instead of `request`.
    public var usesLog = false
    /// Each as `trust=low`, `deny=sign_event:1` or `per_hour=10`; at most 32.
    public var change: [String] = []
    /// With `usesLog`: seconds since 1970.
    public var since: Int64?
    /// With `usesLog`: at most 100000; nil for 10000.
    public var limit: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("client", &client, "The app; with log, all apps if it is missing.")
      try fields.json("request", &request, "A request as an app sends it, {\"method\":…,\"params\":[…]}, or an event alone.")
      try fields.text("permission", &permission, "A permission instead of a request: explain a usual request that needs it.")
      try fields.flag("log", &usesLog, "Explain the past requests of the log instead.")
      try fields.texts("change", &change, "Changes to try: trust=low, allow=PERMISSION, per_hour=N and so on.")
      try fields.integer("since", &since, "With log: only later requests, in seconds since 1970.")
      try fields.integer("limit", &limit, "With log: the most entries to read, newest first (10000).")
    }
  }

  /// One of the two.
  public struct Response: Fields {
    public var request: ExplainedRequest?
    public var log: ExplainedLog?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&request, knownBy: "permission")
      try fields.part(&log, knownBy: "requests")
    }
  }
}
