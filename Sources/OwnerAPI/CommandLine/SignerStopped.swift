// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast stop` ended.
public struct SignerStopped: Fields {
  public var home = ""
  public var process: Int64 = 0
  /// Nil if systemd did not start it.
  public var unit: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("home", &home, "The folder of the vault.")
    try fields.integer("pid", &process, "The process that has ended.")
    try fields.text("unit", &unit, "The unit by which systemd started it; null if systemd did not.")
  }
}
