// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes a backup: at a place, as a file on the signer's machine, or, for a browser that names no place, as bytes.
public enum BackupCreate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/create", "Make a backup of the vault.", from: .recentSignIn, proof: .sometimes, lane: .beside, onDamagedVault: true)

  public struct Request: Fields {
    /// Takes a proof.
    public var place = BackupPlaceRequest()
    /// A path from the root. Not from a browser.
    public var file: String?
    /// A path from the root, for a file with the usual name. Not from a browser.
    public var folder: String?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&place)
      try fields.text("file", &file, "The file to make, named from the root. Not taken from a browser.")
      try fields.text("folder", &folder, "The folder to make it in, named from the root. Not taken from a browser.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    /// The place; nil for a file and for bytes.
    public var place: String?
    /// The file on the signer's machine; nil for others.
    public var file: String?
    /// The name at the place, or for the browser.
    public var name: String?
    /// The backup itself, base64; nil unless a browser gets it.
    public var data: String?
    public var facts = BackupFacts()
    /// Nil where a browser gets the bytes.
    public var revocations: RevocationsBeside?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.leftOut.text("to", &place, "The place where it lies.")
      try fields.leftOut.text("file", &file, "The file on the signer's machine.")
      try fields.leftOut.text("name", &name, "Its name at the place, or for the browser.")
      try fields.leftOut.text("data", &data, "The backup itself in base64, for a browser.")
      try fields.include(&facts)
      try fields.part(&revocations, knownBy: "revocations_error")
    }
  }
}

/// The list of revocations beside a backup.
public struct RevocationsBeside: Fields {
  public var error: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text(
      "revocations_error", &error, "Why the list of revoked apps could not be put beside it, in words; null when it is there.")
  }
}
