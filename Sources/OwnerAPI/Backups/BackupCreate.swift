// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Makes a backup: at a place, as a file on the signer's machine, or, for a browser that names no place, as bytes.
public enum BackupCreate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/create", "Make a backup of the vault.", from: .recentSignIn, proof: .sometimes, lane: .beside, onDamagedVault: true)

  public struct Request: Fields {
    /// Requires a proof.
    public var place = BackupPlaceRequest()
    /// An absolute path. Not from a browser.
    public var file: String?
    /// The absolute path of a folder, for a file with the default name. Not from a browser.
    public var folder: String?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&place)
      try fields.text("file", &file, "The file to make, as an absolute path. Not accepted from a browser.")
      try fields.text("folder", &folder, "The folder to make the file in, as an absolute path. Not accepted from a browser.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    /// The place; nil for a file and for bytes.
    public var place: String?
    /// The file on the signer's machine; nil otherwise.
    public var file: String?
    /// The name at the place, or for the browser.
    public var name: String?
    /// The backup itself, base64; nil unless a browser gets it.
    public var data: String?
    public var facts = BackupFacts()
    /// Nil when a browser gets the bytes.
    public var revocations: RevocationsBeside?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.leftOut.text("to", &place, "The place where it is stored.")
      try fields.leftOut.text("file", &file, "The file on the signer's machine.")
      try fields.leftOut.text("name", &name, "Its name at the place, or for the browser.")
      try fields.leftOut.text("data", &data, "The backup itself in base64, for a browser.")
      try fields.include(&facts)
      try fields.part(&revocations, knownBy: "revocations_error")
    }
  }
}

/// The list of revocations next to a backup.
public struct RevocationsBeside: Fields {
  public var error: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text(
      "revocations_error", &error, "Why the list of revoked apps could not be stored next to it, in words; null when it was.")
  }
}
