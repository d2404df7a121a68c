// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// How a vault differs from its log's knowledge of it.
public enum VaultDifference: String, Word {
  /// It is older than something the log knows.
  case older
  /// It has the same number of changes as the log knows, but different ones.
  case other
}

/// A vault that is not the one its log knows, with what it lacks according to the log.
public struct OlderVault: Fields {
  public var difference = VaultDifference.older
  /// 0 when it had none.
  public var found: Int64 = 0
  public var known: Int64 = 0
  public var sentence = ""
  /// Seconds since 1970; nil when the log does not show it.
  public var since: Int64?
  public var missing: [MissingChange] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("sort", &difference, "How the vault differs: older, or as new with other contents.")
    try fields.integer("found", &found, "The number of the vault's state as found.")
    try fields.integer("known", &known, "The number of the latest state that the log knows.")
    try fields.anyText("sentence", &sentence, "The same for people.")
    try fields.integer("since", &since, "When the vault had its present state, in seconds since 1970; null when unknown.")
    try fields.objects(
      "missing", &missing, "The changes since then to apps, keys and ways to open the vault, according to the log.")
  }
}

/// A change that an older vault lacks.
public struct MissingChange: Fields {
  /// Seconds since 1970.
  public var time: Int64 = 0
  public var entry = LogEntryKind.settingChanged
  /// Nil when it is not about an app.
  public var app: MissingChangeApp?
  /// A name or an npub; nil when it is not about an identity.
  public var identity: String?
  public var rule: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("time", &time, "When it was made, in seconds since 1970.")
    try fields.word("entry", &entry, "The type of the log entry.")
    try fields.part(&app, knownBy: "client")
    try fields.leftOut.text("identity", &identity, "The identity's name, or its npub if no name is known.")
    try fields.leftOut.text("rule", &rule, "Other details of the log entry.")
  }
}

/// The app that a change was about.
public struct MissingChangeApp: Fields {
  public var pubkey = ""
  public var name: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("client", &pubkey, "The app's public key, 64 hex digits.")
    try fields.text("client_name", &name, "The name that the app had; null when unknown.")
  }
}
