public import LocalAccess

/// What the console needs of the program around it. It knows nothing of keys, apps or the engine.
public struct ConsoleHooks: Sendable {
  /// Does an operation for the signed-in owner and answers once, from any thread. Returns at once.
  public var perform: Perform
  /// Writes into the log what happened at the door, and tells who wants to know.
  public var record: @Sendable (ConsoleEvent) -> Void
  /// Whether there is no identity yet.
  public var isFirstRun: @Sendable () -> Bool
  /// Runs a job once, so many milliseconds from now.
  public var after: @Sendable (Int, @escaping @Sendable () -> Void) -> Void
  /// The time.
  public var now: @Sendable () -> ConsoleTime

  /// The type of `perform`.
  public typealias Perform =
    @Sendable (_ request: ControlRequest, _ answer: @escaping @Sendable (ControlResponse) -> Void) -> Void

  /// All hooks.
  public init(
    perform: @escaping Perform,
    record: @escaping @Sendable (ConsoleEvent) -> Void, isFirstRun: @escaping @Sendable () -> Bool,
    after: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void, now: @escaping @Sendable () -> ConsoleTime
  ) {
    (self.perform, self.record, self.isFirstRun) = (perform, record, isFirstRun)
    (self.after, self.now) = (after, now)
  }
}

/// A moment, by two clocks: one that people read, and one that nobody can set.
public struct ConsoleTime: Sendable, Hashable {
  /// Seconds since 1970.
  public var wall: Int64
  /// Milliseconds since some point in the past; never goes back, counts the time a machine sleeps.
  public var steady: Int64

  /// A moment.
  public init(wall: Int64, steady: Int64) { (self.wall, self.steady) = (wall, steady) }
}

/// What somebody signed in with.
public enum SignInMeans: String, Sendable {
  case link
  case passkey
}

/// What happened at the console's door.
public enum ConsoleEvent: Sendable, Hashable {
  case signedIn(SignInMeans)
  /// So many attempts failed since the last that was told; a flood of them is told now and then, not one by one.
  case signInFailed(count: Int)
  case sessionEnded(SessionEnd)
}

/// Why a session ended.
public enum SessionEnd: String, Sendable {
  case signedOut = "signed out"
  case revoked = "revoked"
  case expired = "expired"
  case crowdedOut = "too many sessions"
}
