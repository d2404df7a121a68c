// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Reads a whole backup. With what opens it, it is shown that the owner can open it.
public enum BackupVerify: OwnerOperation {
  public static let properties: OperationProperties = {
    var properties = OperationProperties.look(
      "backup/verify", "Read a whole backup, and say what is in it.", from: .session, lane: .beside)
    properties.proof = .sometimes
    return properties
  }()

  public struct Request: Fields {
    /// A path from the root. Not from a browser.
    public var file: String?
    /// The file's name at the place; nil for the newest one.
    public var name: String?
    /// Nil for where the plan brings them. From a browser only that.
    public var place = BackupPlaceRequest()
    /// What opens the backup: what opened the vault when it was made. Without it, the vault's own keys do.
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("file", &file, "The backup's file, named from the root. Not taken from a browser.")
      try fields.text("name", &name, "Its name at the place; without it the newest one.")
      try fields.include(&place)
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var file = ""
    public var isSound = true
    /// Nil when no vault was there to compare with; so is the next.
    public var isProven: Bool?
    public var isOfThisVault: Bool?
    public var contents = BackupContents()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("file", &file, "The backup's file, or its name at the place.")
      try fields.flag("sound", &isSound, "Whether it is whole: true.")
      try fields.leftOut.flag("proven", &isProven, "Whether what the owner showed opened it.")
      try fields.leftOut.flag("this_vault", &isOfThisVault, "Whether it is of this vault.")
      try fields.include(&contents)
    }
  }
}
