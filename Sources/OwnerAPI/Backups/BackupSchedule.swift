// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The schedule of automatic backups, and the results of the last ones.
public struct BackupSchedulePlan: Fields {
  public var to = ""
  public var endpoint: String?
  public var region: String?
  public var certificates: String?
  /// 90m, 12h, 1d or 2w.
  public var every = ""
  public var keep: Int64 = 0
  /// Seconds since 1970. So are the following times.
  public var made: Int64 = 0
  public var lastAttempt: Int64?
  public var last: Int64?
  public var name: String?
  public var failures: Int64 = 0
  public var lastError: String?
  /// Nil before the list was stored there.
  public var revocations: Int64?
  public var revocationsError: String?
  public var isRunning = false
  /// Nil when there is nothing to say of the place.
  public var remark: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("to", &to, "The place where backups are stored.")
    try fields.text("endpoint", &endpoint, "The server of a bucket; null for the default one, and for other places.")
    try fields.text("region", &region, "The region of a bucket; null for the default one, and for other places.")
    try fields.text("ca", &certificates, "A PEM file of certificates that is trusted instead of the system's; null for none.")
    try fields.anyText("every", &every, "The time between two backups: a number and m, h, d or w.")
    try fields.integer("keep", &keep, "How many backups are kept at the place.")
    try fields.integer("made", &made, "When the schedule was set, in seconds since 1970.")
    try fields.integer("last_attempt", &lastAttempt, "When the last backup was tried, in seconds since 1970; null for never.")
    try fields.integer("last", &last, "When the last backup succeeded, in seconds since 1970; null for never.")
    try fields.text("name", &name, "The file of the last successful backup; null for none.")
    try fields.integer("failures", &failures, "How many backups have failed since then.")
    try fields.text("last_error", &lastError, "Why the last backup failed, in words; null when it did not.")
    try fields.integer(
      "revocations", &revocations, "How many revocations are in the list next to the backups; null before there is one.")
    try fields.text("revocations_error", &revocationsError, "Why that list could not be stored the last time; null if it was.")
    try fields.flag("running", &isRunning, "Whether a backup is being made now.")
    try fields.text("remark", &remark, "What speaks against the place, such as the vault's own disk, in words; null for nothing.")
  }
}

/// An answer that contains the schedule.
public struct BackupPlanAnswer: Fields {
  /// Nil for none.
  public var plan: BackupSchedulePlan?
  /// What the checklist says of the backups; nil if it finds them good.
  public var warning: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("plan", &plan, "The schedule of automatic backups; null for none.")
    try fields.leftOut.text("warning", &warning, "Why the backups do not protect the vault as it is now, in words.")
  }
}

/// Shows the schedule of automatic backups.
public enum BackupPlanShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "backup/plan", "Show the schedule of automatic backups, and the results of the last ones.", from: .session, lane: .beside)
  public typealias Request = Nothing
  public typealias Response = BackupPlanAnswer
}

/// Sets the schedule of automatic backups. Values that are not given stay unchanged.
public enum BackupSchedule: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/schedule", "Set where automatic backups are stored, how often they are made, and how many are kept.",
    from: .recentSignIn,
    proof: .sometimes, lane: .beside, needsUnlocked: true)
  public typealias Response = BackupPlanAnswer

  public struct Request: Fields {
    /// Stops automatic backups. Requires no proof.
    public var isOff = false
    public var place = BackupPlaceRequest()
    /// 15m to 366d.
    public var every: String?
    /// 1 to 1000.
    public var keep: Int64?
    /// Takes a new place that cannot be reached now.
    public var isUntested = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("off", &isOff, "Stop automatic backups. This requires no proof.")
      try fields.include(&place)
      try fields.text("every", &every, "The time between two backups, 15m to 366d: a number and m, h, d or w.")
      try fields.integer("keep", &keep, "How many backups are kept at the place, 1 to 1000.")
      try fields.flag("untested", &isUntested, "Take a new place without storing a test file there first.")
      try fields.include(&credential)
    }
  }
}

/// Makes a scheduled backup now.
public enum BackupRun: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/run", "Make a scheduled backup now.", from: .session, lane: .beside)
  public typealias Request = Nothing
  public typealias Response = BackupPlanAnswer
}
