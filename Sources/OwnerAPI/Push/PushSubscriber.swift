// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A browser or phone that is notified by Web Push.
public struct PushSubscriber: Fields {
  /// 16 hex digits.
  public var id = ""
  public var label = ""
  public var host = ""
  /// Seconds since 1970.
  public var made: Int64 = 0
  /// Seconds since 1970; nil for never.
  public var lastOK: Int64?
  public var lastError: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("id", &id, "The id for commands, 16 hex digits.")
    try fields.anyText("label", &label, "The owner's name for it.")
    try fields.anyText("host", &host, "The host of its push service.")
    try fields.integer("made", &made, "When it was added, in seconds since 1970.")
    try fields.integer(
      "last_ok", &lastOK, "When its push service last accepted a message, in seconds since 1970; null for never.")
    try fields.text("last_error", &lastError, "What has gone wrong since then, in words; null for nothing.")
  }
}
