// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes new class keys and seals every record anew. Each way to open the vault that is shown renews the classes that it opens.
public enum SlotRotate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/rotate", "Make new class keys and seal every record anew.", from: .recentSignIn, proof: .always)
  /// Takes several ways at once.
  public typealias Request = Credential

  public struct Response: Fields {
    public var rotated: [KeyProtection] = []
    public var kept: [KeyProtection] = []
    public var shown: [SlotKind] = []
    public var reasons: [KeptClass] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.words("rotated", &rotated, "The classes that have a new key.")
      try fields.words("kept", &kept, "The classes that have the key they had.")
      try fields.words("shown", &shown, "The kinds of slots that were shown.")
      try fields.objects("kept_because", &reasons, "Why each of the others has the key it had.")
    }
  }
}

/// Why a class has the key it had.
public struct KeptClass: Fields {
  public var protection = KeyProtection.whenUnlocked
  public var reason = ""
  public var opens: [SlotKind] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("class", &protection, "The class.")
    try fields.anyText("why", &reason, "Why it has the key it had, in words.")
    try fields.words("opens", &opens, "The kinds of slots that open it.")
  }
}
