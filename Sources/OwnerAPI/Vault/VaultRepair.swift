// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Continues a damaged vault without the records that cannot be opened. Everything stays suspended until the owner resumes.
public enum VaultRepair: OwnerOperation {
  // A running signer that has opened a damaged vault for viewing answers a plan. The repair itself is refused while a signer
  // runs.
  public static let properties = OperationProperties.action(
    "vault/repair", "Continue a damaged vault without the records that cannot be opened.", from: .controlSocket,
    proof: .sometimes,
    onDamagedVault: true)

  public struct Request: Fields {
    public var isPlan = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("plan", &isPlan, "Only show what would be lost.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var isRepaired = false
    public var isPlan = false
    public var losses = VaultLosses()
    /// Nil for a plan.
    public var kept: KeptFiles?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("ok", &isRepaired, "Whether the vault was repaired: false for a plan.")
      try fields.flag("plan", &isPlan, "Whether this only shows what would be lost.")
      try fields.include(&losses)
      try fields.part(&kept, knownBy: "kept")
    }
  }
}

/// The files that a repair kept.
public struct KeptFiles: Fields {
  public var vault = ""
  public var log: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("kept", &vault, "Where the damaged vault is kept.")
    try fields.text("log_kept", &log, "Where a log that cannot be continued is kept; null when the log continues.")
  }
}
