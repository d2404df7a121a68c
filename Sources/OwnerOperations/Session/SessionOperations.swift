internal import AuditLog
internal import JSON
internal import OwnerAPI
internal import Platform
internal import Signer

/// When the session locks by itself.
extension Operations {
  func sessionOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "session/show": return showSession()
    case "session/set": return try setSession(given)
    default: throw OperationError.noSuchOperation
    }
  }

  /// `locked`, the settings, `until` (seconds since 1970, or null), and whether the machine's signals can be heard.
  private func showSession() -> JSONValue {
    let until = core.session.remaining.map { JSONValue.integer(Clock.seconds + ($0 + 999) / 1000) }
    let heard = core.session.heard
    return .object(
      [.init("locked", .bool(core.sessionLock.isLocked))] + core.session.settings.members + [
        .init("until", until ?? .null), .init("hears_suspend", .bool(heard.suspend)),
        .init("hears_desktop_lock", .bool(heard.desktop)),
      ])
  }

  /// `lock_after` (seconds, or null for never), `lock_on_suspend`, `lock_on_desktop_lock`: each as it is given.
  private func setSession(_ given: Parameters) throws -> JSONValue {
    let names = ["lock_after", "lock_on_suspend", "lock_on_desktop_lock"]
    guard names.contains(where: { given[$0] != nil }) else {
      throw OperationError.usage("There is nothing to set: “lock_after”, “lock_on_suspend” or “lock_on_desktop_lock”.")
    }
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    let seconds = try given.optionalInteger("lock_after")
    guard seconds.map(SessionSettings.range.contains) ?? true else {
      throw OperationError.usage("“lock_after” is from 1 second to a year.", hint: "For never: --lock-after never")
    }
    let (suspend, desktop) = (try flag("lock_on_suspend", given), try flag("lock_on_desktop_lock", given))
    try core.outbox.recording(.event(.settingChanged, rule: "when the session locks")) {
      try core.session.set(isRunning: running != nil) { settings in
        if given["lock_after"] != nil { settings.lockAfter = seconds }
        if let suspend { settings.locksOnSuspend = suspend }
        if let desktop { settings.locksOnDesktopLock = desktop }
      }
    }
    core.signerEvents.tell(.statusChanged)
    return showSession()
  }

  private func flag(_ name: String, _ given: Parameters) throws -> Bool? {
    guard let found = given[name], !found.isNull else { return nil }
    guard let flag = found.bool else { throw OperationError.usage("“\(name)” must be true or false.") }
    return flag
  }
}
