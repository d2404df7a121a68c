// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Gives a browser the list of revoked apps, to be kept beside a backup that it downloaded.
public enum BackupRevokedApps: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/revoked-apps", "Give out the sealed list of revoked apps, as a file to keep beside a backup.", from: .recentSignIn,
    lane: .beside, needsUnlocked: true)

  public typealias Request = Nothing

  public struct Response: Fields {
    public var name = ""
    public var data = ""
    /// Ended pairings and removed shares.
    public var entries: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("name", &name, "The file's name. A restore finds the list under it, in the folder of the backup.")
      try fields.text("data", &data, "The list itself in base64, sealed: only a backup of this vault opens it.")
      try fields.integer("entries", &entries, "How many ended pairings it lists.")
    }
  }
}
