// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A lost record, and what its loss means.
public struct DamagedRecord: Fields {
  public var kind = ""
  /// The first 8 hex digits of its row's name; nil where no row is known.
  public var row: String?
  /// The name of the identity, app or setting, if known.
  public var of: String?
  public var meaning = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("kind", &kind, "What the record is about.")
    try fields.text("row", &row, "The first 8 hex digits of its row's name; null where no row is known.")
    try fields.text("of", &of, "The name of the identity, app or setting; null when unknown.")
    try fields.anyText("meaning", &meaning, "What its loss means, in words.")
  }
}

/// What is damaged in a vault, and the consequences of continuing without it. Names are of identities or apps.
public struct VaultLosses: Fields {
  public var damaged: [DamagedRecord] = []
  public var records: Int64 = 0
  public var isLogLost = false
  /// Nil when the log shows that this is the newest vault.
  public var doubt: String?
  public var areSettingsReset = false
  public var renamed: [String] = []
  public var derived: [String] = []
  public var gone: [String] = []
  public var ended: [String] = []
  public var revoked: [String] = []
  public var paused: [String] = []
  public var reset: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.objects("damaged", &damaged, "Each record that is lost.")
    try fields.integer("records", &records, "How many records are intact and kept.")
    try fields.flag("log_lost", &isLogLost, "Whether a new log must be begun.")
    try fields.text("doubt", &doubt, "Why nothing proves that this is the newest vault; null when the log proves it.")
    try fields.flag("settings_reset", &areSettingsReset, "Whether rules and session settings become the strictest possible.")
    try fields.texts("renamed", &renamed, "Identities that continue under generated names.")
    try fields.texts("derived", &derived, "Identities whose keys are derived again from their words, each with its class.")
    try fields.texts("gone", &gone, "Identities that are lost.")
    try fields.texts("ended", &ended, "Apps that must be paired again.")
    try fields.texts("revoked", &revoked, "Apps that the owner revoked, according to the log.")
    try fields.texts("suspended", &paused, "Apps that are paused.")
    try fields.texts("reset", &reset, "Apps that ask the owner for everything.")
  }
}
