// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Checks that no entry of the log was changed, cut, added or moved.
public enum LogVerify: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/verify", "Check that no entry of the log was changed, cut, added or moved.", from: .session, lane: .reading)

  /// A long log takes minutes: with a time to wait, the answer comes then, and whoever asked asks again for the same check.
  public struct Request: Fields {
    /// Seconds; nil to wait until the check is done.
    public var wait: Int64?
    /// The number of a check that an earlier answer named.
    public var check: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("wait", &wait, "Answer after so many seconds, although the check is not done.")
      try fields.integer("check", &check, "The number of the check that was begun before.")
    }
  }

  /// A check that is not done yet, or its result.
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

/// A check of the log that is not done yet.
public struct LogCheckUnderWay: Fields {
  public var isRunning = true
  /// Names the check, to ask for it again.
  public var check: Int64 = 0
  /// How many entries are right so far.
  public var checked: Int64 = 0
  public var entries: Int64 = 0
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("running", &isRunning, "True: the check is not done.")
    try fields.integer("check", &check, "The number of the check, to ask for it again.")
    try fields.integer("checked", &checked, "How many entries are right so far.")
    try fields.integer("entries", &entries, "How many entries the log has.")
  }
}

/// What a check of the log came to.
public struct LogCheckResult: Fields {
  public var isSound = false
  /// How many were checked.
  public var entries: Int64 = 0
  /// Nil where the log could not be read at all; so are `isOpened` and `head`.
  public var redacted: Int64?
  /// Whether the contents were opened, too, and not the hashes and signatures alone.
  public var isOpened: Bool?
  /// The root of the log's tree, 64 hex digits.
  public var head: String?
  /// In a sentence; nil for none.
  public var fault: String?
  /// Nil where there is no fault, or it is not known which.
  public var firstBadEntry: Int64?
  /// Seconds since 1970; nil where there is no fault, or it is not known.
  public var lastGoodTime: Int64?
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("ok", &isSound, "Whether the whole log is sound.")
    try fields.integer("entries", &entries, "How many entries were checked.")
    try fields.leftOut.integer("redacted", &redacted, "How many entries have no content.")
    try fields.leftOut.flag("opened", &isOpened, "Whether the entries were opened, and not only their hashes checked.")
    try fields.leftOut.text("head", &head, "The root of the log's tree, 64 hex digits.")
    try fields.text("fault", &fault, "What is wrong, in a sentence; null for nothing.")
    try fields.leftOut.integer("entry", &firstBadEntry, "The number of the first bad entry, where it is known.")
    try fields.leftOut.integer("after", &lastGoodTime, "When the last good entry was written, in seconds since 1970.")
  }
}
