import AuditLog
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer
import Vault

/// Locks and unlocks, locks everything down and resumes.
extension Operations {
  static let lockHandlers: [OperationHandler] = [
    .init(SignerLock.self) { operations, _, call in try operations.lock(call) },
    .init(SignerUnlock.self) { try $0.unlock($1, $2) },
    .init(SignerPanic.self) { operations, _, call in operations.panic(call) },
    .init(SignerResume.self) { operations, _, call in try operations.resume(call) },
    .init(IncidentsChecked.self) { operations, _, _ in operations.checkIncidents() },
  ]

  private func checkIncidents() -> IncidentsChecked.Response {
    var response = IncidentsChecked.Response()
    response.incidents = home.meters.note { counters in
      counters.checkIncidents()
      return Int64(counters.allIncidents)
    }
    home.signerEvents.tell(.statusChanged)
    return response
  }

  private func lock(_ call: OperationCall) throws -> SignerLock.Response {
    guard running != nil else { throw OperationError.nothingUnlocked }
    try refuseTrial()
    home.sessionLock.lock(.by(call.channel))
    var response = SignerLock.Response()
    if home.sessionLock.isSuspended { response.isSuspended = true }
    return response
  }

  private func unlock(_ request: SignerUnlock.Request, _ call: OperationCall) throws -> SignerUnlock.Response {
    guard running != nil else { throw OperationError.nothingUnlocked }
    try refuseTrial()
    let opener = try call.credential()
    // It unlocks nothing, and a page could have PAM asked without a wait.
    guard call.channel != .console || opener.type != .keyring else { throw SignerError.keysStayLocked }
    // A lockdown may have come while the sign-in waited. It opens no key then.
    guard !call.request.isSignIn || !home.sessionLock.isSuspended else { throw SignerError.lockedMeanwhile }
    var response = SignerUnlock.Response()
    if !home.sessionLock.isLocked { response.wasLocked = false }
    try home.sessionLock.unlock(opener)
    if try rotatePasskeySlot(request) { response.isPasskeyRenewed = true }
    response.lock = lockState
    response.absent = absences(opener)
    return response
  }

  /// Locks everything down. It never fails; the response says what could not be done.
  private func panic(_ call: OperationCall) -> SignerPanic.Response {
    let done = home.sessionLock.shut(.by(call.channel), "You locked everything down yourself.", isOwners: true)
    var response = SignerPanic.Response()
    response.lock = lockState
    (response.areKeysWiped, response.isStored, response.isRecorded) = (done.areKeysGone, done.isStored, done.isRecorded)
    (response.milliseconds, response.failures) = (done.milliseconds, done.failures.map(\.sentence))
    response.isTrial = home.isTrial
    return response
  }

  private func resume(_ call: OperationCall) throws -> SignerResume.Response {
    var response = SignerResume.Response()
    response.wasSuspended = home.sessionLock.isSuspended
    try refuseTrial()
    if running == nil {
      try home.sessionLock.resumeHere()
    } else {
      try home.sessionLock.unlock(call.credential(), resuming: true)
    }
    response.pausedApps = home.engine.pairings.filter(\.grant.isSuspended).map(\.name)
    response.lock = lockState
    return response
  }

  private func refuseTrial() throws {
    guard home.isTrial else { return }
    throw home.sessionLock.isSuspended ? OperationError.trialIsShut : .trialIsNeverLocked
  }

  /// Whether the session is locked, and whether all permissions are suspended.
  var lockState: LockState {
    var state = LockState()
    (state.isLocked, state.isSuspended) = (home.sessionLock.isLocked, home.sessionLock.isSuspended)
    return state
  }
}

extension AuditRule {
  /// Who locked it.
  static func by(_ channel: OwnerChannel) -> AuditRule { AuditRule(clipping: "by the owner (\(channel.rawValue))") }
}
