// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Checks every record of the vault.
public enum DoctorVault: OwnerOperation {
  public static let properties = OperationProperties.look(
    "doctor/vault", "Check whether every record of the vault opens.", from: .controlSocket)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var records: Int64 = 0
    public var damaged: [ExaminedDamage] = []
    /// Nil when no record is missing.
    public var changedKind: String?
    public var costs: [PassphraseCost] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("records", &records, "How many records were checked.")
      try fields.objects("damaged", &damaged, "Each damaged record.")
      try fields.text("changed", &changedKind, "A kind with a record that is missing or too old; null for none.")
      try fields.objects("costs", &costs, "What a guess at each passphrase costs.")
    }
  }
}

/// A damaged record.
public struct ExaminedDamage: Fields {
  public var kind = ""
  /// The first 8 hex digits of its row's name; nil where no row is known.
  public var row: String?
  /// Only in a damaged vault that was opened for viewing.
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
    try fields.text("of", &of, "The name of the identity, app or setting; null when unknown.")
    try fields.anyText("meaning", &meaning, "What its loss means, in words.")
  }
}

/// The cost of a guess at a passphrase.
public struct PassphraseCost: Fields {
  public var memoryMiB: Int64 = 0
  public var passes: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("memory_mib", &memoryMiB, "Memory, in MiB.")
    try fields.integer("passes", &passes, "How many passes over the memory are made.")
  }
}
