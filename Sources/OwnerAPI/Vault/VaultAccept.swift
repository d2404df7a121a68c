// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Accepts an older vault. Everything stays suspended until the owner resumes.
public enum VaultAccept: OwnerOperation {
  public static let properties = OperationProperties.action(
    "vault/accept", "Accept a vault that is older than the log knows.", from: .controlSocket, proof: .always, home: .stopped,
    onDamagedVault: true)
  public typealias Request = Credential

  public struct Response: Fields {
    public var isAccepted = true
    public var revoked: [String] = []
    public var paused: [String] = []
    public var offered: Int64 = 0
    public var older = OlderVault()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("accepted", &isAccepted, "Whether the older vault is accepted: true.")
      try fields.texts("revoked", &revoked, "Names of apps that were revoked again.")
      try fields.texts("suspended", &paused, "Names of apps that are paused.")
      try fields.integer("offered", &offered, "How many shares kept for others need your consent again.")
      try fields.include(&older)
    }
  }
}
