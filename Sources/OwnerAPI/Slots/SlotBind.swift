// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import JSON

/// Binds the keys that are for this device only to the present device.
public enum SlotBind: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/bind", "Bind keys of the this-device-only classes to this device.", from: .recentSignIn, proof: .sometimes,
    lane: .beside)

  public struct Request: Fields {
    /// Only shows what would be lost; requires no proof.
    public var isPlan = false
    /// Nil keeps a device secret that belongs to this device. If it is set, several credentials may be given at once.
    public var isSealedByTPM: Bool?
    public var isLossAccepted = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("plan", &isPlan, "Only show what would be lost. This requires no proof.")
      try fields.flag("tpm", &isSealedByTPM, "True makes a new device.key that the TPM seals, false makes one that no TPM seals.")
      try fields.flag("accept_loss", &isLossAccepted, "Continue even if keys are lost permanently.")
      try fields.include(&credential)
    }
  }

  /// One of the two.
  public struct Response: Fields {
    public var plan: BindingPlan?
    public var done: BindingResult?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&plan, knownBy: "needed")
      try fields.part(&done, knownBy: "bound")
    }
  }
}

/// What binding the vault to this device would lose.
public struct BindingPlan: Fields {
  public var isNeeded = false
  /// Nil when only the device secret is renewed.
  public var lost: KeyLoss?
  /// The same in words; nil for nothing.
  public var loses: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("needed", &isNeeded, "Whether there is anything to do.")
    try visitLost(fields)
    try fields.text("loses", &loses, "The same in words; null for nothing.")
  }

  private mutating func visitLost(_ fields: FieldVisitor) throws(FieldError) {
    var written: JSONValue? = lost.map { .object(FieldVisitor.write($0, .answering).members) } ?? .array([])
    try fields.json("lost", &written, "What would be lost, as in the plan of slot/remove; an empty list when nothing can be.")
    lost = nil
    if let written, written.members != nil { lost = try FieldVisitor.read(KeyLoss.self, from: written, secrets: [:]) }
  }
}

/// The vault's present binding to this device.
public struct BindingResult: Fields {
  public var isBound = true
  public var isChanged = false
  public var lost: [String] = []
  public var binding = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("bound", &isBound, "Whether the vault is bound to this device: true.")
    try fields.flag("changed", &isChanged, "Whether that was changed now.")
    try fields.texts("lost", &lost, "The names of identities whose keys were lost.")
    try fields.anyText("binding", &binding, "What binds it, in words.")
  }
}
