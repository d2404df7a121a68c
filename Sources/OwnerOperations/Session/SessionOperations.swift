import AuditLog
import OwnerAPI
import OwnerWords
import Platform
import Signer

/// When the session locks automatically.
extension Operations {
  static let sessionHandlers: [OperationHandler] = [
    .init(SessionShow.self) { operations, _, _ in operations.showSession() },
    .init(SessionSet.self) { operations, request, _ in try operations.setSession(request) },
    .init(SessionProve.self) { operations, request, _ in try operations.proveSession(request) },
  ]

  private func showSession() -> SessionState {
    let (settings, heard) = (home.session.settings, home.session.heard)
    var state = SessionState()
    state.isLocked = home.sessionLock.isLocked
    state.lockAfter = settings.lockAfter
    (state.locksOnSuspend, state.locksOnDesktopLock) = (settings.locksOnSuspend, settings.locksOnDesktopLock)
    state.until = locksAt
    (state.hearsSuspend, state.hearsDesktopLock) = (heard.suspend, heard.desktop)
    return state
  }

  /// A wrong passphrase counts, makes the next attempt wait and is recorded, as one at any other operation.
  private func proveSession(_ request: SessionProve.Request) throws -> SessionProve.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let passphrase = request.passphrase else { throw OperationError.usage("The vault's passphrase is missing.") }
    try home.sessionLock.verify(ShownCredential(passphrase: passphrase).opener)
    return SessionProve.Response()
  }

  /// When the session locks by itself, in seconds since 1970; nil when no time is set.
  var locksAt: Int64? { home.session.remaining.map { Clock.seconds + ($0 + 999) / 1000 } }

  private func setSession(_ request: SessionSet.Request) throws -> SessionState {
    guard request.lockAfter != .unchanged || request.locksOnSuspend != nil || request.locksOnDesktopLock != nil else {
      throw OperationError.usage("There is nothing to set: “lock_after”, “lock_on_suspend” or “lock_on_desktop_lock”.")
    }
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    if case .to(let seconds?) = request.lockAfter, !SessionSettings.range.contains(seconds) {
      throw OperationError.usage("“lock_after” must be from 1 second to a year.", hint: "To never lock: --lock-after never")
    }
    if request.applied(to: home.session.settings).isLooser(than: home.session.settings) { try allowMore() }
    try home.outbox.recording(.event(.settingChanged, rule: "when the session locks")) {
      try home.session.set(isRunning: running != nil) { $0 = request.applied(to: $0) }
    }
    home.signerEvents.tell(.statusChanged)
    return showSession()
  }
}

extension SessionSet.Request {
  fileprivate func applied(to settings: SessionSettings) -> SessionSettings {
    var settings = settings
    if case .to(let seconds) = lockAfter { settings.lockAfter = seconds }
    if let locksOnSuspend { settings.locksOnSuspend = locksOnSuspend }
    if let locksOnDesktopLock { settings.locksOnDesktopLock = locksOnDesktopLock }
    return settings
  }
}
