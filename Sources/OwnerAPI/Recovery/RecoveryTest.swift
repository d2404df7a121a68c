// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Tests that shares restore what they should, with a restore that is discarded.
public enum RecoveryTest: OwnerOperation {
  public static let properties = OperationProperties.action(
    "recovery/test", "Test that shares restore what they should. Only the date is stored.", from: .session)

  public struct Request: Fields {
    public var shares = KitShares()
    /// The key that they must restore; nil for the one in the kit's record.
    public var npub: String?
    public var account: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&shares)
      try fields.text("npub", &npub, "The public key that they must restore, as an npub or 64 hex digits.")
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
      try fields.anyText("restores", &restores, "The name of the identity that the shares restore; “vault” for the whole vault.")
      try fields.text("npub", &npub, "The identity's public key as an npub; null for the vault.")
      try fields.flag("noted", &isNoted, "Whether the kit is in this vault's list.")
      try fields.texts("without", &without, "Identities that no kit restores because they are bound to this device.")
      try fields.integer("tested", &tested, "When it was tested, in seconds since 1970.")
    }
  }
}
