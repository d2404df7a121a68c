// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the backups at a place, by default at the place of the schedule.
public enum BackupList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "backup/list", "List the backups at a place, by default at the place of the schedule.", from: .session, lane: .beside)
  public typealias Request = BackupPlaceRequest

  public struct Response: Fields {
    /// Nil for a place other than the schedule's.
    public var test: LastBackupTest?
    public var backups: [BackupListed] = []
    /// Why the schedule's place could not be listed.
    public var error: String?
    /// What the checklist says of the backups; nil if it finds them good, and for a place other than the schedule's.
    public var warning: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&test, knownBy: "last_tested")
      try fields.objects("backups", &backups, "Each backup, newest first.")
      try fields.leftOut.text("error", &error, "Why the schedule's place could not be listed, in words.")
      try fields.leftOut.text("warning", &warning, "Why the backups do not protect the vault as it is now, in words.")
    }
  }
}

/// When the owner last opened a backup of this vault.
public struct LastBackupTest: Fields {
  /// Seconds since 1970; nil for never.
  public var time: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer(
      "last_tested", &time, "When the owner last tested that a backup opens, in seconds since 1970; null for never.")
  }
}
