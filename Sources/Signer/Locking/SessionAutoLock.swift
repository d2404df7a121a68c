import AuditLog
import Desktop
import JSON
import Platform
package import Vault

/// Locks the owner's session automatically: after inactivity, before the machine sleeps, and with the desktop.
///
/// Only the owner's operations count as activity, not the apps' requests. Before `begin` it only stores the settings.
package final class SessionAutoLock: Sendable {
  private let vault: Vault
  private let sessionLock: SessionLock
  private let signerEvents: SignerEvents
  private let machine = MachineLockSignals()
  private let manager: SessionManager
  private let state: Locked<SessionSettings>
  private let setting = SerialGuard()

  /// Reads the settings.
  /// - Parameter clock: includes the time the machine sleeps.
  init(_ sessionLock: SessionLock, _ signerEvents: SignerEvents, clock: SessionManager.Clock = .boot) throws(VaultError) {
    (vault, self.sessionLock, self.signerEvents) = (sessionLock.vault, sessionLock, signerEvents)
    let stored = try vault.value(.setting, id: SessionSettings.id)
    let settings = stored.flatMap(SessionSettings.init) ?? SessionSettings()
    state = Locked(settings)
    manager = SessionManager(settings.policy, clock: clock)
  }

  /// Begins to lock automatically. From then on this session is open while the signer's is.
  package func begin() {
    manager.observe { [weak self] change in
      if case .locked(let cause) = change { self?.lock(cause) }
    }
    signerEvents.subscribe { [weak self] signerEvent in if case .lockChanged = signerEvent { self?.follow() } }
    follow()
    listen(settings)
  }

  /// Stops it.
  func stop() {
    machine.stop()
    manager.close()
  }

  private func follow() { sessionLock.isLocked ? manager.lock() : manager.start() }

  private func lock(_ cause: SessionChange.Cause) {
    switch cause {
    case .asked: break  // the session lock did it
    case .inactivity: sessionLock.lock("nothing was done for a while")
    case .signal(.willSleep): sessionLock.lock("the machine goes to sleep")
    case .signal(.desktopLocked): sessionLock.lock("the desktop was locked")
    }
  }

  private func listen(_ settings: SessionSettings) {
    machine.want(suspend: settings.locksOnSuspend, desktop: settings.locksOnDesktopLock) { [weak manager] signal in
      manager?.hear(signal)
    }
  }

  // MARK: use

  /// Notes an operation of the owner.
  package func touch() { manager.touch() }

  /// Locks a session whose time has run out, if no timer has done so yet. Called before every use of a key.
  func check() { _ = manager.isOpen }

  /// Whether `check` would lock.
  var isOver: Bool { manager.remaining.map { $0 <= 0 } ?? false }

  /// Milliseconds until the session locks automatically.
  package var remaining: Int64? { manager.remaining }

  /// Which of the machine's signals can be received.
  package var heard: (suspend: Bool, desktop: Bool) { machine.heard }

  package var settings: SessionSettings { state.withLock { $0 } }

  /// Stores new settings, which apply at once.
  /// - Parameter isBegun: whether a signer runs.
  package func set(isRunning: Bool, _ change: (inout SessionSettings) -> Void) throws(VaultError) {
    try setting.withLock { () throws(VaultError) in
      var settings = settings
      change(&settings)
      try vault.transaction([.put(.setting, SessionSettings.id, JSONValue.object(settings.members).serialized())])
      state.withLock { $0 = settings }
      manager.policy = settings.policy
      if isRunning {
        follow()
        listen(settings)
      }
    }
  }
}

/// The machine's signals, as the session library names them.
final class MachineLockSignals: Sendable {
  private let signals = MachineSignals()

  func want(suspend: Bool, desktop: Bool, _ heard: @escaping @Sendable (LockSignal) -> Void) {
    var wanted: Set<MachineSignal> = []
    if suspend { wanted.insert(.willSleep) }
    if desktop { wanted.insert(.desktopLocked) }
    signals.listen(for: wanted) { signal in
      switch signal {
      case .willSleep: heard(.willSleep)
      case .desktopLocked: heard(.desktopLocked)
      case .fingersMayHaveChanged: break  // not subscribed to here
      }
    }
  }

  var heard: (suspend: Bool, desktop: Bool) {
    let heard = signals.heard
    return (heard.contains(.willSleep), heard.contains(.desktopLocked))
  }

  func stop() { signals.stop() }
}
