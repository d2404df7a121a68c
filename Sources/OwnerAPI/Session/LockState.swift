// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Whether keys are in memory, and whether permissions apply.
public struct LockState: Fields {
  public var isLocked = false
  /// Whether a panic or an incident suspended all permissions.
  public var isSuspended = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("locked", &isLocked, "Whether the session is locked: requests that need a key wait.")
    try fields.flag("suspended", &isSuspended, "Whether the signer is locked down, until the owner resumes.")
  }
}
