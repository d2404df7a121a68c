// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Reads a whole backup. If a credential is given, this also tests that the owner can open it.
public enum BackupVerify: OwnerOperation {
  public static let properties: OperationProperties = {
    var properties = OperationProperties.look(
      "backup/verify", "Read a whole backup, and show what is in it.", from: .session, lane: .beside)
    properties.proof = .sometimes
    return properties
  }()

  public struct Request: Fields {
    /// An absolute path. Not from a browser.
    public var file: String?
    /// The file's name at the place; nil for the newest one.
    public var name: String?
    /// Nil for the place of the schedule, which is the only one allowed from a browser.
    public var place = BackupPlaceRequest()
    /// The credential that opens the backup, as it opened the vault when the backup was made. Without it, the vault's own keys
    /// are used.
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("file", &file, "The backup's file, as an absolute path. Not accepted from a browser.")
      try fields.text("name", &name, "The backup's name at the place; without it, the newest one.")
      try fields.include(&place)
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var file = ""
    public var isSound = true
    /// Nil when there was no vault to compare with. So is the next member.
    public var isProven: Bool?
    public var isOfThisVault: Bool?
    public var contents = BackupContents()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("file", &file, "The backup's file, or its name at the place.")
      try fields.flag("sound", &isSound, "Whether it is undamaged: true.")
      try fields.leftOut.flag("proven", &isProven, "Whether the owner's credential opened it.")
      try fields.leftOut.flag("this_vault", &isOfThisVault, "Whether it is a backup of this vault.")
      try fields.include(&contents)
    }
  }
}
