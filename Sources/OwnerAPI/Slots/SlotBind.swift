// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import JSON

/// Binds the keys of this device only to the device this is.
public enum SlotBind: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/bind", "Bind the keys of this device only to the device this is.", from: .recentSignIn, proof: .sometimes,
    lane: .beside)

  public struct Request: Fields {
    /// Only say what would be lost; takes no proof.
    public var isPlan = false
    /// Nil leaves a device secret that is this device's as it is. With it, several ways to open the vault may be shown at once.
    public var isSealedByTPM: Bool?
    public var isLossAccepted = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("plan", &isPlan, "Only say what would be lost. This takes no proof.")
      try fields.flag("tpm", &isSealedByTPM, "True has the TPM seal a new device.key, false makes one that no TPM seals.")
      try fields.flag("accept_loss", &isLossAccepted, "Also where keys are lost for good.")
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
    try fields.json("lost", &written, "What would be lost, as in the plan of slot/remove; an empty list where nothing can be.")
    lost = nil
    if let written, written.members != nil { lost = try FieldVisitor.read(KeyLoss.self, from: written, secrets: [:]) }
  }
}

/// How the vault is bound to this device now.
public struct BindingResult: Fields {
  public var isBound = true
  public var isChanged = false
  public var lost: [String] = []
  public var binding = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("bound", &isBound, "Whether the vault is bound to this device: true.")
    try fields.flag("changed", &isChanged, "Whether that was changed now.")
    try fields.texts("lost", &lost, "The names of identities whose keys went with it.")
    try fields.anyText("binding", &binding, "What binds it, in words.")
  }
}
