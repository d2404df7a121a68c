// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows the newest entries of the log.
public enum LogShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/show", "Show the newest entries of the log.", from: .session, lane: .reading)

  public struct Request: Fields {
    public var filter = LogFilter()
    /// At most 100000; nil for 50.
    public var limit: Int64?
    /// Nil for the newest.
    public var before: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&filter)
      try fields.integer("limit", &limit, "The most entries (50).")
      try fields.integer("before", &before, "Only entries with a lower number.")
    }
  }

  public struct Response: Fields {
    public var entries: [LogEntry] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("entries", &entries, "The entries, oldest first.")
    }
  }
}

/// Exports entries with their hashes, a part at a time.
public enum LogExport: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/export", "Export entries with their hashes, a part at a time.", from: .session, lane: .reading)

  public struct Request: Fields {
    public var filter = LogFilter()
    /// At most 2000; nil for 2000.
    public var limit: Int64?
    /// From 1; nil for 1.
    public var from: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&filter)
      try fields.integer("limit", &limit, "The most entries in one answer (2000).")
      try fields.integer("from", &from, "The number of the first entry (1).")
    }
  }

  public struct Response: Fields {
    public var entries: [LogEntry] = []
    /// The next value of `from`; nil at the end.
    public var next: Int64?
    /// The length of the whole log.
    public var count: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("entries", &entries, "The entries, oldest first.")
      try fields.integer("next", &next, "The “from” of the next part; null at the end.")
      try fields.integer("count", &count, "How many entries the log has.")
    }
  }
}

/// Shows the key that verifies the log's signed heads.
public enum LogKey: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/key", "Show the key that verifies the log's signed heads.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var verifierKey = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("vkey", &verifierKey, "The key in the format of a C2SP verifier key.")
    }
  }
}

/// Shows the signed head of the log.
public enum LogCheckpoint: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/checkpoint", "Show the signed head of the log, to be stored elsewhere.", from: .controlSocket)
  public typealias Request = Nothing

  public struct Response: Fields {
    /// Several lines of text.
    public var checkpoint = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("checkpoint", &checkpoint, "The signed head, a text of several lines.")
    }
  }
}

/// Drops the content of old entries, or shows whether that is done daily.
public enum LogRetain: OwnerOperation {
  public static let properties = OperationProperties.action(
    "log/retain", "Drop the content of old entries permanently, or show whether that is done daily.", from: .recentSignIn,
    lane: .retaining)

  public struct Request: Fields {
    /// A period such as `90d`, 7 days or more; nil to drop nothing.
    public var keep: String?
    public var isDaily = false
    public var isOff = false
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("keep", &keep, "How long content is kept, such as 90d, 7 days or more; without it, nothing is dropped.")
      try fields.flag("daily", &isDaily, "Also do the same daily from now on.")
      try fields.flag("off", &isOff, "Stop doing it daily. Nothing is dropped then.")
    }
  }

  public struct Response: Fields {
    /// Nil when nothing was to be dropped; so is `redacted`.
    public var dropped: Int64?
    public var redacted: Int64?
    /// The length of the whole log.
    public var entries: Int64 = 0
    /// Days; nil when nothing is dropped daily.
    public var dailyDays: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.leftOut.integer("dropped", &dropped, "How many entries lost their content now.")
      try fields.leftOut.integer("redacted", &redacted, "How many entries have no content.")
      try fields.integer("entries", &entries, "How many entries the log has.")
      try fields.integer("daily_days", &dailyDays, "After how many days content is dropped; null when none is.")
    }
  }
}

/// Begins a new log when the old one is damaged.
public enum LogRenew: OwnerOperation {
  public static let properties = OperationProperties.action(
    "log/renew", "Begin a new log when the old one is damaged.", from: .controlSocket, proof: .always, home: .stopped)
  public typealias Request = Credential

  public struct Response: Fields {
    /// The path of the folder in which the old log is kept.
    public var kept = ""
    /// Whether the old log proved that the vault is the newest.
    public var isVouched = false
    /// When it did not: what was done with the vault.
    public var accepted: AcceptedOlderVault?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("kept", &kept, "The folder in which the old log is kept.")
      try fields.flag("vouched", &isVouched, "Whether the old log proved that the vault is the newest.")
      try fields.part(&accepted, knownBy: "accepted")
    }
  }
}

/// What was done with a vault that may be an older copy.
public struct AcceptedOlderVault: Fields {
  public var isAccepted = true
  /// The names of apps; so are those in `suspended`.
  public var revoked: [String] = []
  public var suspended: [String] = []
  public var offered: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("accepted", &isAccepted, "Always true.")
    try fields.texts("revoked", &revoked, "The apps whose pairings were ended.")
    try fields.texts("suspended", &suspended, "The apps that are paused.")
    try fields.integer("offered", &offered, "How many shares that are kept for others need consent again.")
  }
}
