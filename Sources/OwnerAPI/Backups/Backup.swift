// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// The facts of every backup.
public struct BackupFacts: Fields {
  /// Seconds since 1970.
  public var made: Int64 = 0
  public var number: Int64 = 0
  public var records: Int64 = 0
  public var leftOut: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("made", &made, "When it was made, in seconds since 1970.")
    try fields.integer("number", &number, "Its number. Each backup of a vault has a higher one.")
    try fields.integer("records", &records, "How many records it has.")
    try fields.integer("left_out", &leftOut, "How many records were left out because they are bound to this device.")
  }
}

/// A backup at a place.
public struct BackupListed: Fields {
  public var name = ""
  public var place = ""
  /// The first 8 hex digits of the vault's id.
  public var vault = ""
  /// Seconds since 1970.
  public var made: Int64 = 0
  public var number: Int64 = 0
  /// Bytes; nil when the place does not report it.
  public var size: Int64?
  public var isVerified = false
  /// Empty for a backup of another vault, as is the next member.
  public var opensWith: [SlotSummary] = []
  public var notWith: [SlotSummary] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The file's name.")
    try fields.anyText("to", &place, "The place where it is stored.")
    try fields.anyText("vault", &vault, "The first 8 hex digits of the vault's id.")
    try fields.integer("made", &made, "When it was made according to its name, in seconds since 1970.")
    try fields.integer("number", &number, "Its number according to its name.")
    try fields.integer("size", &size, "Its size in bytes; null when the place does not report it.")
    try fields.flag(
      "verified", &isVerified, "Whether it was read back at its place, or checked since, as far as the log can be read.")
    try fields.objects("opens_with", &opensWith, "The vault's present slots that open it; none for a backup of another vault.")
    try fields.objects(
      "not_with", &notWith, "The vault's present slots that do not open it, because they were made or changed after it.")
  }
}

/// The contents of a backup, as far as it could be opened.
public struct BackupContents: Fields {
  public var facts = BackupFacts()
  public var opened: Int64 = 0
  /// An object: the number of records in each class of keys that was not opened.
  public var sealed: JSONValue? = .object([])
  public var identities: [BackedUpIdentity] = []
  public var apps: [String] = []
  public var slots: [Slot] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&facts)
    try fields.integer("opened", &opened, "How many records were opened.")
    try fields.json("sealed", &sealed, "How many records were not opened: an object with a number for each class of keys.")
    try fields.objects("identities", &identities, "The identities in the backup.")
    try fields.texts("apps", &apps, "The names of the apps in the backup.")
    try fields.objects("slots", &slots, "The slots that open the backup.")
  }
}

/// An identity in a backup.
public struct BackedUpIdentity: Fields {
  public var name = ""
  public var npub = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The identity's name.")
    try fields.anyText("npub", &npub, "Its public key as an npub.")
  }
}
