// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// Signs an event for the owner, without applying the rules of any app.
public enum Sign: OwnerOperation {
  public static let properties = OperationProperties.action(
    "sign", "Sign an event, without applying the rules of any app.", from: .controlSocket, proof: .sometimes)

  public struct Request: Fields {
    /// Its name or public key; nil for the default identity.
    public var identity: String?
    /// An unsigned event: an object, or its JSON as a text. Nil is an error.
    public var event: JSONValue?
    /// Whether it may be dated more than 15 minutes ahead.
    public var allowsDateAhead = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("identity", &identity, "The identity: its name or public key; without it, the default identity.")
      try fields.json("event", &event, "The event: kind and content, optionally tags, created_at and pubkey.")
      try fields.flag("date_ahead", &allowsDateAhead, "Also sign an event that is dated more than 15 minutes ahead.")
      try fields.include(&credential)
    }
  }

  /// The signed event (NIP-01).
  public struct Response: Fields {
    /// 64 hex digits; so is `pubkey`.
    public var id = ""
    public var pubkey = ""
    /// Seconds since 1970.
    public var createdAt: Int64 = 0
    public var kind: Int64 = 0
    /// An array of arrays of texts.
    public var tags: JSONValue? = []
    public var content = ""
    /// 128 hex digits.
    public var sig = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("id", &id, "The event's id, 64 hex digits.")
      try fields.anyText("pubkey", &pubkey, "The public key that signed it, 64 hex digits.")
      try fields.integer("created_at", &createdAt, "The event's date, in seconds since 1970.")
      try fields.integer("kind", &kind, "The event's kind.")
      try fields.json("tags", &tags, "The event's tags, each an array of texts.")
      try fields.anyText("content", &content, "The event's content.")
      try fields.anyText("sig", &sig, "The signature, 128 hex digits.")
    }
  }
}
