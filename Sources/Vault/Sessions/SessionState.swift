import SecretMemory

/// When a session locks automatically.
public struct SessionPolicy: Sendable, Hashable {
  /// Seconds of inactivity until it locks; nil for never.
  public var inactivity: Int64?
  /// Whether it locks before the machine sleeps.
  public var locksOnSuspend: Bool
  /// Whether it locks with the desktop.
  public var locksOnDesktopLock: Bool

  /// Five minutes, and with the machine and the desktop, unless told otherwise.
  public init(inactivity: Int64? = 300, locksOnSuspend: Bool = true, locksOnDesktopLock: Bool = true) {
    (self.inactivity, self.locksOnSuspend, self.locksOnDesktopLock) = (inactivity, locksOnSuspend, locksOnDesktopLock)
  }

  func locks(on signal: LockSignal) -> Bool {
    switch signal {
    case .willSleep: locksOnSuspend
    case .desktopLocked: locksOnDesktopLock
    }
  }
}

/// What became of a session.
public enum SessionChange: Sendable, Hashable {
  /// Why a session was locked.
  public enum Cause: Sendable, Hashable {
    /// The program said so.
    case asked
    /// Nothing was done for too long.
    case inactivity
    /// The machine said something.
    case signal(LockSignal)
  }

  case started
  case locked(Cause)
  case ended
}

/// The session as a plain value: no clock, no threads.
struct SessionState {
  enum Phase { case none, open, locked }

  var policy: SessionPolicy
  private(set) var phase = Phase.none
  /// Milliseconds on the clock since boot, when something was done last.
  private(set) var touchedAt: Int64 = 0
  var holders: [ObjectIdentifier: WeakHolder] = [:]

  struct WeakHolder { weak var holder: (any SensitiveHolder)? }

  /// When it locks automatically, on the clock since boot in milliseconds; nil for never.
  var deadline: Int64? {
    guard phase == .open, let inactivity = policy.inactivity else { return nil }
    let (milliseconds, tooMuch) = inactivity.multipliedReportingOverflow(by: 1000)
    let (deadline, tooLate) = touchedAt.addingReportingOverflow(milliseconds)
    return tooMuch || tooLate ? nil : deadline
  }

  /// Whether it is open although its time is over.
  func isOver(at now: Int64) -> Bool { deadline.map { now >= $0 } ?? false }

  mutating func start(at now: Int64) -> SessionChange? {
    touchedAt = now
    guard phase != .open else { return nil }
    phase = .open
    return .started
  }

  mutating func touch(at now: Int64) { touchedAt = max(touchedAt, now) }

  mutating func lock(_ cause: SessionChange.Cause) -> SessionChange? {
    guard phase == .open else { return nil }
    phase = .locked
    return .locked(cause)
  }

  mutating func end() -> SessionChange? {
    guard phase != .none else { return nil }
    phase = .none
    return .ended
  }
}
