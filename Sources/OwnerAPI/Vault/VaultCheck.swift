// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows whether the vault is undamaged and the one that the log knows.
public enum VaultCheck: OwnerOperation {
  public static let properties = OperationProperties.look(
    "vault/check", "Show whether the vault is undamaged and the one that the log knows.", from: .controlSocket)
  public typealias Request = Nothing

  /// One of four answers: undamaged; undamaged, with attempts on another copy; an older vault; a damaged one.
  public struct Response: Fields {
    public var isSound = false
    /// When no signer runs, and the vault is the one the log knows.
    public var attempts: ForgottenAttemptsNote?
    /// When the vault is not the one the log knows.
    public var older: OlderVault?
    /// When a running signer has opened a damaged vault for viewing.
    public var damage: DamageFound?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("ok", &isSound, "Whether the vault is undamaged and the one that the log knows.")
      try fields.part(&attempts, knownBy: "tried_elsewhere")
      try fields.part(&older, knownBy: "sort")
      try fields.part(&damage, knownBy: "damaged")
    }
  }
}

/// Passphrases that were tried on another copy of the vault.
public struct ForgottenAttemptsNote: Fields {
  /// Nil when there were none.
  public var sentence: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("tried_elsewhere", &sentence, "Passphrases that were tried on another copy, in words; null for none.")
  }
}

/// A damaged vault that was opened for viewing.
public struct DamageFound: Fields {
  public var sentence = ""
  public var losses = VaultLosses()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("sentence", &sentence, "The same for people.")
    try fields.include(&losses)
  }
}
