// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Removes a way to open the vault.
public enum SlotRemove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/remove", "Remove a way to open the vault, or only show what would be left.", from: .recentSignIn, proof: .sometimes)

  public struct Request: Fields {
    public var id: Int64 = 0
    /// Only shows what would be left and lost; requires no proof.
    public var isPlan = false
    public var isLossAccepted = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("id", &id, "The slot's number.")
      try fields.flag("plan", &isPlan, "Only show what would be left and lost. This requires no proof.")
      try fields.flag("accept_loss", &isLossAccepted, "Continue even if keys are lost permanently.")
      try fields.include(&credential)
    }
  }

  /// One of the two.
  public struct Response: Fields {
    public var plan: SlotRemovalPlan?
    public var done: SlotRemovalResult?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&plan, knownBy: "slot")
      try fields.part(&done, knownBy: "removed")
    }
  }
}

/// What removing a slot would leave and lose.
public struct SlotRemovalPlan: Fields {
  public var slot = Slot()
  public var left: [Slot] = []
  public var warnings: [String] = []
  public var lost = KeyLoss()
  /// The same in words; nil for nothing.
  public var loses: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("slot", &slot, "The slot.")
    try fields.objects("left", &left, "The ways that would be left to open the vault.")
    try fields.texts("warnings", &warnings, "Warnings about the remaining ways to open the vault.")
    try fields.object("lost", &lost, "What would be lost permanently.")
    try fields.text("loses", &loses, "The same in words; null for nothing.")
  }
}

/// A slot that was removed.
public struct SlotRemovalResult: Fields {
  public var removed: Int64 = 0
  public var remark: String?
  public var warnings: [String] = []
  public var lost: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("removed", &removed, "The slot's number.")
    try fields.text("remark", &remark, "What remains on the token or in the keyring, in words; null for nothing.")
    try fields.texts("warnings", &warnings, "Warnings about the remaining ways to open the vault.")
    try fields.texts("lost", &lost, "The names of identities whose keys were lost.")
  }
}
