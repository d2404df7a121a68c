// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Says what holds a key, what opens it, and who can rebuild it.
public enum IdentityReceipt: OwnerOperation {
  public static let properties = OperationProperties.look(
    "identity/receipt", "Say what holds a key, what opens it, and who can rebuild it.", from: .session, lane: .reading)
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
      try fields.word("class", &protection, "The class that the key is sealed under.")
      try fields.objects("held_by", &heldBy, "Where the key and its words are.")
      try fields.objects("opens", &opens, "The slots that open the key.")
      try fields.objects("rebuild", &rebuild, "What makes the key again without this machine's files.")
      try fields.objects("leaves", &leaves, "What left this device.")
      try fields.objects("claims", &claims, "What holds for the key, and what does not.")
      try fields.texts("limits", &limits, "What no receipt can promise, each in a sentence.")
    }
  }
}
