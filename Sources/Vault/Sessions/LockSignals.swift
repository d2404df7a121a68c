/// What the machine says that should lock a session.
public enum LockSignal: Sendable, Hashable, CaseIterable {
  /// The machine is about to sleep.
  case willSleep
  /// The desktop was locked, or its screen saver came on.
  case desktopLocked
}

/// Where lock signals come from: on Linux logind and the desktop, on Apple's systems their notifications.
public protocol LockSignals: AnyObject, Sendable {
  /// Begins to listen.
  /// - Parameter heard: called for each signal, on any thread. It returns when the session is locked and everybody was told: a source
  ///   that can hold up the machine's sleep lets go of it after that.
  func listen(_ heard: @escaping @Sendable (LockSignal) -> Void)

  /// Ends it; nothing is heard any more when this returns.
  func stop()
}
