// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows that shares restore what they are for, by a restore that is thrown away.
public enum RecoveryTest: OwnerOperation {
  public static let properties = OperationProperties.action(
    "recovery/test", "Show that shares restore what they are for. Nothing is kept but the day.", from: .session)

  public struct Request: Fields {
    public var shares = KitShares()
    /// The key that they must give; nil for the one that the note of the kit names.
    public var npub: String?
    public var account: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&shares)
      try fields.text("npub", &npub, "The public key that they must give, as npub or 64 hex digits.")
      try fields.integer("account", &account, "The account of the words (NIP-06), below 2147483648.")
    }
  }

  public struct Response: Fields {
    public var kit = ""
    /// The name of an identity, or “vault”.
    public var restores = ""
    public var npub: String?
    public var isNoted = false
    public var without: [String] = []
    /// Seconds since 1970.
    public var tested: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("kit", &kit, "The kit's number, four hex digits.")
      try fields.anyText("restores", &restores, "The identity that the shares restore, by name; “vault” for all of the vault.")
      try fields.text("npub", &npub, "The identity's public key, as npub; null for the vault.")
      try fields.flag("noted", &isNoted, "Whether the kit is in this vault's list.")
      try fields.texts("without", &without, "Identities that no kit brings back because they are bound to this device.")
      try fields.integer("tested", &tested, "When that was, in seconds since 1970.")
    }
  }
}
