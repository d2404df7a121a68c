// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast init` made.
public struct HomeMade: Fields {
  public var home = ""
  public var isMade = true
  /// Nil for a passphrase that is good enough.
  public var remark: String?
  /// Nil when there was no device secret in the folder.
  public var kept: [String]?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("home", &home, "The folder of the new vault.")
    try fields.flag("created", &isMade, "Whether the vault was made: true.")
    try fields.leftOut.text("remark", &remark, "What is weak about the passphrase, in words.")
    try fields.leftOut.texts("kept", &kept, "The names that device secrets which were in the folder have now.")
  }
}
