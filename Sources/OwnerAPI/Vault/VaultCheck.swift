// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Says whether the vault is whole, and the one that the log knows.
public enum VaultCheck: OwnerOperation {
  public static let properties = OperationProperties.look(
    "vault/check", "Say whether the vault is whole and the one that the log knows.", from: .controlSocket)
  public typealias Request = Nothing

  /// One of four answers: sound; sound, with what was tried on another copy; an older vault; a damaged one.
  public struct Response: Fields {
    public var isSound = false
    /// When no signer runs, and the vault is the one the log knows.
    public var attempts: ForgottenAttemptsNote?
    /// When the vault is not the one the log knows.
    public var older: OlderVault?
    /// When a running signer only looks at a damaged vault.
    public var damage: DamageFound?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("ok", &isSound, "Whether the vault is whole and the one that the log knows.")
      try fields.part(&attempts, knownBy: "tried_elsewhere")
      try fields.part(&older, knownBy: "sort")
      try fields.part(&damage, knownBy: "damaged")
    }
  }
}

/// Passphrases that were tried on another copy of the vault.
public struct ForgottenAttemptsNote: Fields {
  /// Nil when nobody tried.
  public var sentence: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("tried_elsewhere", &sentence, "Passphrases that were tried on another copy, in words; null for none.")
  }
}

/// A damaged vault that was opened to look at.
public struct DamageFound: Fields {
  public var sentence = ""
  public var losses = VaultLosses()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("sentence", &sentence, "The same for people.")
    try fields.include(&losses)
  }
}
