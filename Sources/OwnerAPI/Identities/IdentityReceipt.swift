// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows where a key is stored, what opens it, and what can restore it.
public enum IdentityReceipt: OwnerOperation {
  public static let properties = OperationProperties.look(
    "identity/receipt", "Show where a key is stored, what opens it, and what can restore it.", from: .session, lane: .reading)
  public typealias Request = IdentityNameOrDefault

  /// The identity that the receipt is for.
  public struct Subject: Fields {
    public var name = ""
    public var npub = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("name", &name, "Its name.")
      try fields.anyText("npub", &npub, "Its public key as an npub.")
    }
  }

  public struct Response: Fields {
    public var identity = Subject()
    /// Seconds since 1970.
    public var made: Int64 = 0
    public var protection = KeyProtection.whenUnlocked
    public var heldBy: [StoredSecret] = []
    public var opens: [KeyOpener] = []
    public var rebuild: [KeyRebuild] = []
    public var leaves: [KeyOutside] = []
    public var claims: [ReceiptClaim] = []
    /// Sentences for people.
    public var limits: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("identity", &identity, "The identity.")
      try fields.integer("made", &made, "When the receipt was made, in seconds since 1970.")
      try fields.word("class", &protection, "The class that the key is encrypted under.")
      try fields.objects("held_by", &heldBy, "Where the key and its words are stored.")
      try fields.objects("opens", &opens, "The slots that open the key.")
      try fields.objects("rebuild", &rebuild, "What restores the key without this machine's files.")
      try fields.objects("leaves", &leaves, "What has left this device.")
      try fields.objects("claims", &claims, "Statements about the key, and whether they hold.")
      try fields.texts("limits", &limits, "What no receipt can promise, each in a sentence.")
    }
  }
}
