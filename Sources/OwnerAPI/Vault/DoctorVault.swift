// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Looks at every record of the vault.
public enum DoctorVault: OwnerOperation {
  public static let properties = OperationProperties.look(
    "doctor/vault", "Look whether every record of the vault opens.", from: .controlSocket)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var records: Int64 = 0
    public var damaged: [ExaminedDamage] = []
    /// Nil when none is missing.
    public var changedKind: String?
    public var costs: [PassphraseCost] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("records", &records, "How many records were looked at.")
      try fields.objects("damaged", &damaged, "Each record that is not what was written.")
      try fields.text("changed", &changedKind, "A kind of which a record is missing or older than it should be; null for none.")
      try fields.objects("costs", &costs, "What a guess at each passphrase costs.")
    }
  }
}

/// A record that is not what was written.
public struct ExaminedDamage: Fields {
  public var kind = ""
  /// The first 8 hex digits of its row's name; nil where no row is known.
  public var row: String?
  /// Only in a damaged vault that was opened to look at.
  public var loss: ExaminedLoss?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("kind", &kind, "What the record is about.")
    try fields.text("row", &row, "The first 8 hex digits of its row's name; null where no row is known.")
    try fields.part(&loss, knownBy: "meaning")
  }
}

/// What the loss of a record means.
public struct ExaminedLoss: Fields {
  public var of: String?
  public var meaning = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("of", &of, "Whose it is: an identity's name, an app's or a setting's; null where that is not known.")
    try fields.anyText("meaning", &meaning, "What its loss means, in words.")
  }
}

/// What a guess at a passphrase costs.
public struct PassphraseCost: Fields {
  public var memoryMiB: Int64 = 0
  public var passes: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("memory_mib", &memoryMiB, "Memory, in MiB.")
    try fields.integer("passes", &passes, "How often it is gone over.")
  }
}
