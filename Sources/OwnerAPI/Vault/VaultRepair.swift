// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Goes on with a damaged vault without the records that do not open. Everything stays shut until the owner resumes.
public enum VaultRepair: OwnerOperation {
  // A running signer that only looks at a damaged vault answers a plan; the repair itself is refused while one runs.
  public static let properties = OperationProperties.action(
    "vault/repair", "Go on with a damaged vault without the records that do not open.", from: .controlSocket, proof: .sometimes,
    onDamagedVault: true)

  public struct Request: Fields {
    public var isPlan = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("plan", &isPlan, "Only say what would be lost.")
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
      try fields.flag("ok", &isRepaired, "Whether the vault goes on: false for a plan.")
      try fields.flag("plan", &isPlan, "Whether this only says what would be lost.")
      try fields.include(&losses)
      try fields.part(&kept, knownBy: "kept")
    }
  }
}

/// What a repair put aside.
public struct KeptFiles: Fields {
  public var vault = ""
  public var log: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("kept", &vault, "Where the damaged vault is kept.")
    try fields.text("log_kept", &log, "Where the log is kept that cannot be gone on with; null when it goes on.")
  }
}
