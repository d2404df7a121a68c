internal import AuditLog
internal import JSON
internal import OwnerAPI
internal import RemoteSigning
internal import SecretMemory
internal import Signer
internal import Vault

/// Locking and unlocking, shutting everything and resuming.
extension Operations {
  func lock(_ given: Parameters) throws -> JSONValue {
    guard running != nil else { throw OperationError.nothingUnlocked }
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    core.sessionLock.lock(.by(given.channel))
    return .object([.init("locked", .bool(true))])
  }

  func unlock(_ given: Parameters) throws -> JSONValue {
    guard running != nil else { throw OperationError.nothingUnlocked }
    let opener = try given.evidence()
    try core.sessionLock.unlock(opener)
    let rotated: [JSONValue.Member] = try rotatePasskeySlot(given) ? [.init("rotated", true)] : []
    return .object((lockState().members ?? []) + rotated + absences(opener))
  }

  /// Shuts everything. Never fails: what could not be done is in the result.
  func panic(_ given: Parameters) -> JSONValue {
    let done = core.sessionLock.shut(.by(given.channel), "Everything was shut by your own command.")
    return .object([
      .init("locked", .bool(core.sessionLock.isLocked)), .init("suspended", .bool(core.sessionLock.isSuspended)),
      .init("keys_wiped", .bool(done.areKeysGone)), .init("stored", .bool(done.isStored)),
      .init("recorded", .bool(done.isRecorded)), .init("milliseconds", .integer(done.milliseconds)),
      .init("failures", .array(done.failures.map { .string($0.sentence) })), .init("trial", .bool(core.isTrial)),
    ])
  }

  func resume(_ given: Parameters) throws -> JSONValue {
    let wasSuspended = core.sessionLock.isSuspended
    if running == nil { try core.sessionLock.resumeHere() } else { try core.sessionLock.unlock(given.evidence(), resuming: true) }
    let apps = core.engine.pairings.filter(\.grant.isSuspended).map { JSONValue.string($0.name) }
    return .object(
      (lockState().members ?? []) + [.init("was_suspended", .bool(wasSuspended)), .init("suspended_apps", .array(apps))])
  }

  /// Of an open vault that is the one the log knows; one that is not is not opened.
  func vaultOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "vault/check":
      if let look = core.damagedView { return .object([.init("ok", false), .init("sentence", .string(look.sentence))] + look.members) }
      guard !core.vault.isLocked || !core.log.hasUnread else { throw OperationError.unlockFirst }
      do { if let found = try RollbackFinding.look(at: core.vault, core.log) { throw SignerError.otherVault(found, missing: nil) } } catch
      {
        throw OperationError(error)
      }
      return .object([.init("ok", true)])
    case "vault/accept": throw OperationError.stopFirst("holdfast vault accept")
    case "vault/repair":
      if let look = core.damagedView, try given.flag("plan") {
        return .object([.init("ok", false), .init("plan", true)] + look.members)
      }
      throw running == nil ? OperationError.nothingDamaged : .stopFirst("holdfast vault repair")
    default: throw OperationError.noSuchOperation
    }
  }

  private func lockState() -> JSONValue {
    .object([.init("locked", .bool(core.sessionLock.isLocked)), .init("suspended", .bool(core.sessionLock.isSuspended))])
  }
}

extension OperationError {
  static let nothingUnlocked = OperationError(
    .failed, "No signer runs on this home, so there is nothing to lock or unlock.", hint: "Start it with: holdfast up")
  static func stopFirst(_ command: String) -> OperationError {
    OperationError(.failed, "A signer runs on this home.", hint: "Stop it, then run: \(command)")
  }
  static let trialHasNoPassphrase = OperationError(
    .failed, "A trial's vault has a passphrase that nobody knows: locked, it could not be unlocked.",
    hint: "To try this, make a vault: holdfast init")
  static let unlockFirst = OperationError(.locked, "The signer is locked.", hint: "Unlock it first: holdfast unlock")
}

extension AuditRule {
  /// Who locked it.
  static func by(_ channel: OwnerChannel) -> AuditRule { AuditRule(clipping: "by the owner (\(channel.rawValue))") }
}
