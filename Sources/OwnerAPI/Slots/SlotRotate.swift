// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes new class keys and encrypts every record again. Each given credential renews the classes that it opens.
public enum SlotRotate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/rotate", "Make new class keys and encrypt every record again.", from: .recentSignIn, proof: .always)
  /// Accepts several credentials at once.
  public typealias Request = Credential

  public struct Response: Fields {
    public var rotated: [KeyProtection] = []
    public var kept: [KeyProtection] = []
    public var shown: [SlotKind] = []
    public var reasons: [KeptClass] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.words("rotated", &rotated, "The classes that have a new key.")
      try fields.words("kept", &kept, "The classes that keep their key.")
      try fields.words("shown", &shown, "The types of slots that were used.")
      try fields.objects("kept_because", &reasons, "Why each of the others keeps its key.")
    }
  }
}

/// Why a class keeps its key.
public struct KeptClass: Fields {
  public var protection = KeyProtection.whenUnlocked
  public var reason = ""
  public var opens: [SlotKind] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("class", &protection, "The class.")
    try fields.anyText("why", &reason, "Why it keeps its key, in words.")
    try fields.words("opens", &opens, "The types of slots that open it.")
  }
}
