// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Checks that no entry of the log was changed, removed, added or moved.
public enum LogVerify: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/verify", "Check that no entry of the log was changed, removed, added or moved.", from: .session, lane: .reading)

  /// A long log takes minutes. If a waiting time is given, the answer comes after that, and the caller asks again for the same
  /// check.
  public struct Request: Fields {
    /// Seconds; nil to wait until the check is done.
    public var wait: Int64?
    /// The number of a running check from an earlier answer.
    public var check: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("wait", &wait, "Answer after this many seconds, even if the check is not finished.")
      try fields.integer("check", &check, "The number of the running check.")
    }
  }

  /// A running check, or its result.
  public struct Response: Fields {
    public var underWay: LogCheckUnderWay?
    public var result: LogCheckResult?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&underWay, knownBy: "running")
      try fields.part(&result, knownBy: "ok")
    }
  }
}

/// A check of the log that is still running.
public struct LogCheckUnderWay: Fields {
  public var isRunning = true
  /// The check's number, to ask for it again.
  public var check: Int64 = 0
  /// How many entries are correct so far.
  public var checked: Int64 = 0
  public var entries: Int64 = 0
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("running", &isRunning, "True: the check is still running.")
    try fields.integer("check", &check, "The check's number, to ask for it again.")
    try fields.integer("checked", &checked, "How many entries are correct so far.")
    try fields.integer("entries", &entries, "How many entries the log has.")
  }
}

/// The result of a check of the log.
public struct LogCheckResult: Fields {
  public var isSound = false
  /// How many were checked.
  public var entries: Int64 = 0
  /// Nil when the log could not be read at all. So are `isOpened` and `head`.
  public var redacted: Int64?
  /// Whether the contents were decrypted, too, and not only hashes and signatures checked.
  public var isOpened: Bool?
  /// The root of the log's tree, 64 hex digits.
  public var head: String?
  /// In a sentence; nil when there is no error.
  public var fault: String?
  /// Nil when there is no error, or when the entry is unknown.
  public var firstBadEntry: Int64?
  /// Seconds since 1970; nil when there is no error, or when it is unknown.
  public var lastGoodTime: Int64?
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("ok", &isSound, "Whether the whole log is correct.")
    try fields.integer("entries", &entries, "How many entries were checked.")
    try fields.leftOut.integer("redacted", &redacted, "How many entries have no content.")
    try fields.leftOut.flag("opened", &isOpened, "Whether the entries were decrypted, and not only their hashes checked.")
    try fields.leftOut.text("head", &head, "The root of the log's tree, 64 hex digits.")
    try fields.text("fault", &fault, "What is wrong, in a sentence; null for nothing.")
    try fields.leftOut.integer("entry", &firstBadEntry, "The number of the first bad entry, if known.")
    try fields.leftOut.integer("after", &lastGoodTime, "When the last good entry was written, in seconds since 1970.")
  }
}
