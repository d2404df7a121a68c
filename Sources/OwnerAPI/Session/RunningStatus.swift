// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// Whether a running signer has problems.
public enum SignerHealth: String, Word { case ok, degraded }

/// The state of notifications on the owner's desktop.
public enum DesktopCondition: String, Word {
  case off
  /// Nothing had to be shown so far.
  case unused
  case shown
  case noLibrary = "libsystemd is not installed"
  case noBus = "there is no session bus"
  case noDesktop = "no desktop shows notifications"
}

/// The part of `status` that only a running signer has. Counts are since its start.
public struct RunningStatus: Fields {
  public var process: Int64 = 0
  public var console = ""
  public var consoleElsewhere: [String] = []
  /// Nil for a trial.
  public var start: String?
  public var relays: [RelayStatus] = []
  /// At most 20.
  public var unreachedApps: [UnreachedApp] = []
  public var desktop = DesktopCondition.off
  /// Nil when there is none.
  public var checkpoint: String?
  public var health = SignerHealth.ok
  public var problems: [StatusProblem] = []
  public var incidents: Int64 = 0
  public var newIncidents: Int64 = 0
  /// Seconds.
  public var uptime: Int64 = 0
  public var requests: [MethodCounts] = []
  public var answers = AnswerCounts()
  /// Milliseconds.
  public var latency = Spread()
  /// Seconds.
  public var approvalWait = Spread()
  public var resources = ResourceStatus()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("pid", &process, "The signer's process id.")
    try fields.anyText("console", &console, "The address of the console.")
    try fields.texts(
      "console_elsewhere", &consoleElsewhere,
      "Addresses with TLS by which browsers on other machines may reach the console: those of --console-host.")
    try fields.text(
      "start", &start, "The command that starts this signer again, with the options that it has now; null for a trial.")
    try fields.objects("relays", &relays, "The state of each relay.")
    try fields.objects(
      "unreached_apps", &unreachedApps,
      "The paired apps none of whose relays can be reached, at most 20. They are no problem in the sense of problems and health.")
    try fields.word("desktop", &desktop, "The state of notifications on the desktop.")
    try fields.text("checkpoint", &checkpoint, "The file with a checkpoint of the log; null for none.")
    try fields.word("health", &health, "Degraded when there are problems.")
    try fields.objects("problems", &problems, "What is wrong, and what to do.")
    try fields.integer("incidents", &incidents, "The number of incidents.")
    try fields.integer("new_incidents", &newIncidents, "How many of them you have not marked as checked.")
    try fields.integer("uptime", &uptime, "How long it has been running, in seconds.")
    try fields.objects("requests", &requests, "How many requests of each method got which decision.")
    try fields.include(&answers)
    try fields.object(
      "latency_ms", &latency, "Milliseconds from a request's arrival to the first relay that accepted its answer.")
    try fields.object("approval_wait_s", &approvalWait, "Seconds from a request's arrival to the owner's answer.")
    try fields.include(&resources)
  }
}

/// Counts of requests and answers since the signer's start.
public struct AnswerCounts: Fields {
  public var answered: Int64 = 0
  public var signed: Int64 = 0
  public var failed: Int64 = 0
  public var unrecorded: Int64 = 0
  public var unpublished: Int64 = 0
  /// An object: a number for each reason that occurred.
  public var dropped: JSONValue? = .object([])
  public var queueFull: Int64 = 0
  public var queued: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("answered", &answered, "How many answers were made.")
    try fields.integer("signed", &signed, "How many events were signed.")
    try fields.integer("failed", &failed, "How many requests failed.")
    try fields.integer("unrecorded", &unrecorded, "How many requests were refused because they could not be recorded.")
    try fields.integer("unpublished", &unpublished, "How many answers no relay accepted.")
    try fields.json("dropped", &dropped, "How many events got no answer: an object with a number for each reason in words.")
    try fields.integer("queue_full", &queueFull, "How many events and requests were refused because too many waited.")
    try fields.integer("queued", &queued, "How many events and requests wait for a worker now.")
  }
}

/// The running signer's use of the machine, and its stored data.
public struct ResourceStatus: Fields {
  public var logBytes: Int64 = 0
  /// Nil when the system does not report it.
  public var freeDiskBytes: Int64?
  public var backupFailures: Int64 = 0
  /// Seconds since 1970.
  public var lastBackup: Int64?
  public var connections = ConnectionCounts()
  public var memoryKiB: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("log_bytes", &logBytes, "The size of the log in bytes.")
    try fields.integer("disk_free_bytes", &freeDiskBytes, "Free bytes on the disk of the vault's folder; null when unknown.")
    try fields.integer("backup_failures", &backupFailures, "How many scheduled backups have failed since the last success.")
    try fields.integer(
      "last_backup", &lastBackup, "When the last scheduled backup was made, in seconds since 1970; null for none.")
    try fields.object("connections", &connections, "The connections of the signer's port.")
    try fields.integer("memory_kib", &memoryKiB, "The memory of the process, in KiB.")
  }
}
