// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows the state of the signer.
public enum StatusShow: OwnerOperation {
  public static let properties = OperationProperties.look("status", "Show the state of the signer.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var version = ""
    public var home = ""
    /// Eight hex digits.
    public var vault = ""
    public var isUsualHome = false
    public var isRunning = false
    public var isTrial = false
    public var lock = LockState()
    /// Seconds since 1970; nil when no time is set, and while the session is locked.
    public var locksAt: Int64?
    public var identities: Int64 = 0
    /// Nil when no identity is bound to this device.
    public var deviceBinding: String?
    public var apps: Int64 = 0
    public var links: Int64 = 0
    public var waiting: Int64 = 0
    public var shareRequests: Int64 = 0
    public var logEntries: Int64 = 0
    /// Nil when no signer runs.
    public var running: RunningStatus?

    public init() {}

    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("version", &version, "The program's version.")
      try fields.anyText("home", &home, "The vault's folder.")
      try fields.anyText("vault", &vault, "The first digits of the vault's id, as in the names of its backups.")
      try fields.flag("usual_home", &isUsualHome, "Whether commands find this folder without --home.")
      try fields.flag("running", &isRunning, "Whether a signer runs.")
      try fields.flag("trial", &isTrial, "Whether this is a trial, whose vault is deleted at its end.")
      try fields.include(&lock)
      try fields.integer(
        "locks_at", &locksAt, "When the session locks by itself if you do nothing, in seconds since 1970; null for never.")
      try fields.integer("identities", &identities, "How many identities there are.")
      try fields.text(
        "device_binding", &deviceBinding, "What binds keys to this device, in words; null when no key is bound.")
      try fields.integer("clients", &apps, "How many apps are paired.")
      try fields.integer("links", &links, "How many links have not been used yet.")
      try fields.integer("waiting", &waiting, "How many requests wait for the owner.")
      try fields.integer("share_requests", &shareRequests, "How many requests for shares have no answer yet.")
      try fields.integer("log_entries", &logEntries, "How many entries the log has.")
      try fields.part(&running, knownBy: "pid")
    }
  }
}
