// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where backups go by themselves, and how the last ones went.
public struct BackupSchedulePlan: Fields {
  public var to = ""
  public var endpoint: String?
  public var region: String?
  public var certificates: String?
  /// 90m, 12h, 1d or 2w.
  public var every = ""
  public var keep: Int64 = 0
  /// Seconds since 1970, as are the times that follow.
  public var made: Int64 = 0
  public var lastAttempt: Int64?
  public var last: Int64?
  public var name: String?
  public var failures: Int64 = 0
  public var lastError: String?
  /// Nil before the list was brought there.
  public var revocations: Int64?
  public var revocationsError: String?
  public var isRunning = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("to", &to, "Where they go.")
    try fields.text("endpoint", &endpoint, "The server of a bucket; null for the usual one, and for other places.")
    try fields.text("region", &region, "The region of a bucket; null for the usual one, and for other places.")
    try fields.text("ca", &certificates, "A file of certificates (PEM) that is trusted instead of the system's; null for none.")
    try fields.anyText("every", &every, "The time from one to the next: a number and m, h, d or w.")
    try fields.integer("keep", &keep, "How many stay at the place.")
    try fields.integer("made", &made, "When the plan was set, in seconds since 1970.")
    try fields.integer("last_attempt", &lastAttempt, "When the last backup was tried, in seconds since 1970; null for never.")
    try fields.integer("last", &last, "When the last one went well, in seconds since 1970; null for never.")
    try fields.text("name", &name, "The file of that one; null for none.")
    try fields.integer("failures", &failures, "How many failed since then.")
    try fields.text("last_error", &lastError, "Why the last one failed, in words; null when it did not.")
    try fields.integer("revocations", &revocations, "How many revocations the list beside them has; null before there is one.")
    try fields.text("revocations_error", &revocationsError, "Why that list could not be brought there last; null if it was.")
    try fields.flag("running", &isRunning, "Whether one is being made now.")
  }
}

/// An answer that shows the plan.
public struct BackupPlanAnswer: Fields {
  /// Nil for none.
  public var plan: BackupSchedulePlan?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("plan", &plan, "Where backups go by themselves; null for nowhere.")
  }
}

/// Shows where backups go by themselves.
public enum BackupPlanShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "backup/plan", "Show where backups go by themselves, and how the last ones went.", from: .session, lane: .beside)
  public typealias Request = Nothing
  public typealias Response = BackupPlanAnswer
}

/// Sets where backups go by themselves. What is not given stays as it is.
public enum BackupSchedule: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/schedule", "Set where backups go by themselves, how often, and how many stay.", from: .recentSignIn,
    proof: .sometimes, lane: .beside)
  public typealias Response = BackupPlanAnswer

  public struct Request: Fields {
    /// No more backups by themselves; takes no proof.
    public var isOff = false
    public var place = BackupPlaceRequest()
    /// 15m to 366d.
    public var every: String?
    /// 1 to 1000.
    public var keep: Int64?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("off", &isOff, "Make no backups by themselves any more. This takes no proof.")
      try fields.include(&place)
      try fields.text("every", &every, "The time from one to the next, 15m to 366d: a number and m, h, d or w.")
      try fields.integer("keep", &keep, "How many stay at the place, 1 to 1000.")
      try fields.include(&credential)
    }
  }
}

/// Makes the planned backup now.
public enum BackupRun: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/run", "Make the planned backup now.", from: .session, lane: .beside)
  public typealias Request = Nothing
  public typealias Response = BackupPlanAnswer
}
