// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Begins to send a backup from a browser, to have it checked or, in a trial, restored. The file is not kept.
public enum BackupUploadBegin: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/upload-begin", "Begin to send a backup file from a browser, to have it checked or, in a trial, restored.",
    from: .session, home: .running, needsUnlocked: true)

  public struct Request: Fields {
    /// Bytes.
    public var length: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("length", &length, "The file's length in bytes.")
    }
  }

  public struct Response: Fields {
    public var upload = ""
    /// Bytes.
    public var longestPart: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("upload", &upload, "What the other calls name this upload by, in the same browser session.")
      try fields.integer("longest_part", &longestPart, "The most bytes of one part.")
    }
  }
}

/// Sends the next part of a backup.
public enum BackupUploadPart: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/upload-part", "Send the next part of a backup file.", from: .session, home: .running, needsUnlocked: true)

  public struct Request: Fields {
    public var upload = ""
    public var offset: Int64 = 0
    /// Base64url.
    public var data = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("upload", &upload, "The upload.")
      try fields.integer("offset", &offset, "Where the part begins in the file, in bytes: where the one before it ended.")
      try fields.text("data", &data, "The part itself, in base64url.")
    }
  }

  public struct Response: Fields {
    /// Bytes.
    public var received: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("received", &received, "How many bytes of the file have arrived.")
    }
  }
}

/// Ends sending, and says what can be told of the file without a credential.
public enum BackupUploadEnd: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/upload-end",
    "End sending a backup file, and say what can be told without a credential: whose it is, and when it was made.",
    from: .session, home: .running, lane: .beside, needsUnlocked: true)

  public typealias Request = BackupUploadRequest

  public struct Response: Fields {
    public var vault = ""
    public var isOfThisVault = false
    /// When the backup was made, in seconds since 1970; nil when this needs a credential.
    public var made: Int64?
    /// The backup's number; nil when this needs a credential.
    public var number: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("vault", &vault, "The first 8 hex digits of the id of the vault that it says it is of.")
      try fields.flag(
        "this_vault", &isOfThisVault, "Whether that is this vault. A backup of another one can only be restored, in a trial.")
      try fields.integer(
        "made", &made, "When it was made, in seconds since 1970; null when the vault's own keys do not open it.")
      try fields.integer("number", &number, "Its number; null when the vault's own keys do not open it.")
    }
  }
}

/// Checks a backup that was sent, as `backup/verify` does.
public enum BackupUploadCheck: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/upload-check", "Check a backup file that was sent, and show what is in it. It is removed after that.", from: .session,
    proof: .always, home: .running, lane: .beside, needsUnlocked: true)

  public struct Request: Fields {
    public var upload = ""
    /// What opened the vault when the backup was made.
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("upload", &upload, "The upload. It stays for another attempt when the credential is wrong.")
      try fields.include(&credential)
    }
  }

  public typealias Response = BackupVerify.Response
}

/// Gives an upload up.
public enum BackupUploadCancel: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/upload-cancel", "Remove a backup file that was sent, or a part of one.", from: .session, home: .running)
  public typealias Request = BackupUploadRequest
  public typealias Response = Nothing
}

/// A request about one upload.
public struct BackupUploadRequest: Fields {
  public var upload = ""
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("upload", &upload, "The upload.")
  }
}
