// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// When the session locks automatically.
public struct SessionState: Fields {
  public var isLocked = false
  /// Seconds; nil for never.
  public var lockAfter: Int64?
  public var locksOnSuspend = true
  public var locksOnDesktopLock = false
  /// Seconds since 1970; nil when no time is set.
  public var until: Int64?
  public var hearsSuspend = false
  public var hearsDesktopLock = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("locked", &isLocked, "Whether the session is locked.")
    try fields.integer("lock_after", &lockAfter, "Seconds without an action of yours after which it locks; null for never.")
    try fields.flag("lock_on_suspend", &locksOnSuspend, "Whether it locks before the machine sleeps.")
    try fields.flag("lock_on_desktop_lock", &locksOnDesktopLock, "Whether it locks when the desktop is locked.")
    try fields.integer("until", &until, "When it locks automatically, in seconds since 1970; null when no time is set.")
    try fields.flag("hears_suspend", &hearsSuspend, "Whether this machine reports when it goes to sleep.")
    try fields.flag("hears_desktop_lock", &hearsDesktopLock, "Whether a desktop reports when it is locked.")
  }
}

/// Shows when the session locks automatically.
public enum SessionShow: OwnerOperation {
  public static let properties = OperationProperties.look(
    "session/show", "Show when the session locks automatically.", from: .session)
  public typealias Request = Nothing
  public typealias Response = SessionState
}

/// Sets when the session locks automatically. At least one setting must be given.
public enum SessionSet: OwnerOperation {
  public static let properties = OperationProperties.action(
    "session/set", "Set when the session locks automatically.", from: .recentSignIn)
  public typealias Response = SessionState

  public struct Request: Fields {
    /// 1 second to a year.
    public var lockAfter = Change<Int64>.unchanged
    public var locksOnSuspend: Bool?
    public var locksOnDesktopLock: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.change("lock_after", &lockAfter, "Seconds without an action of yours, from 1 to a year; null for never.")
      try fields.flag("lock_on_suspend", &locksOnSuspend, "Whether it locks before the machine sleeps.")
      try fields.flag("lock_on_desktop_lock", &locksOnDesktopLock, "Whether it locks when the desktop is locked.")
    }
  }
}
