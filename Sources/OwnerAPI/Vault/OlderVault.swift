// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// How a vault differs from what its log knows of it.
public enum VaultDifference: String, Word {
  /// It is of before something the log knows.
  case older
  /// It has as many changes as the log knows, and they are others.
  case other
}

/// A vault that is not the one its log knows, and what it lacks by the log.
public struct OlderVault: Fields {
  public var difference = VaultDifference.older
  /// 0 when it had none.
  public var found: Int64 = 0
  public var known: Int64 = 0
  public var sentence = ""
  /// Seconds since 1970; nil when the log does not tell.
  public var since: Int64?
  public var missing: [MissingChange] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("sort", &difference, "How the vault differs: older, or as new with other contents.")
    try fields.integer("found", &found, "The number of the vault's state, as it was found.")
    try fields.integer("known", &known, "The number of the latest state that the log knows.")
    try fields.anyText("sentence", &sentence, "The same for people.")
    try fields.integer("since", &since, "When the vault was as it is now, in seconds since 1970; null when that is unknown.")
    try fields.objects("missing", &missing, "The changes since then to apps, keys and ways to open the vault, by the log.")
  }
}

/// A change that an older vault lacks.
public struct MissingChange: Fields {
  /// Seconds since 1970.
  public var time: Int64 = 0
  public var entry = LogEntryKind.settingChanged
  /// Nil where it is about no app.
  public var app: MissingChangeApp?
  /// A name, or an npub; nil where it is about no identity.
  public var identity: String?
  public var rule: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("time", &time, "When it was made, in seconds since 1970.")
    try fields.word("entry", &entry, "What happened, as the log names it.")
    try fields.part(&app, knownBy: "client")
    try fields.leftOut.text("identity", &identity, "The identity's name, or its npub where no name is known.")
    try fields.leftOut.text("rule", &rule, "What the log says besides.")
  }
}

/// The app that a change was about.
public struct MissingChangeApp: Fields {
  public var pubkey = ""
  public var name: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("client", &pubkey, "The app's public key, 64 hex digits.")
    try fields.text("client_name", &name, "What the app was called; null where that is not known.")
  }
}
