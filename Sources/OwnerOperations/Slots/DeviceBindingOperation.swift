import AuditLog
import Identities
import OwnerAPI
import OwnerWords
import Platform
import Signer
import Vault

/// `slot/bind`: what binds the classes of this device to it.
extension Operations {
  /// Binds the classes of this device to this machine, after the home came from another one or lost its `device.key`. What was
  /// stored under them cannot be opened here and is removed. With the member `tpm` it works also if they are bound to this
  /// machine already: true makes a new device secret that the TPM seals, false makes a plain one.
  func bindToThisDevice(_ request: SlotBind.Request, _ call: OperationCall) throws -> SlotBind.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    let isNeeded = try home.vault.isOfAnotherDevice
    let sealed = request.isSealedByTPM
    if !isNeeded, let sealed { return try renewDeviceSecret(request, call, sealed: sealed) }
    let loss = try SlotLoss(of: isNeeded ? inUse(ProtectionClass.allCases.filter(\.isThisDeviceOnly)) : [], in: home)
    if request.isPlan {
      var plan = BindingPlan()
      (plan.isNeeded, plan.lost, plan.loses) = (isNeeded, loss.told, loss.words)
      return .plan(plan)
    }
    let proof = try call.proof()
    try home.sessionLock.verify(proof)
    guard isNeeded else { return try bound(isChanged: false) }
    if case .closed(let fault) = try binding(), fault.mayPass, sealed == nil { throw OperationError(fault) }
    try loss.checkAccepted(request.isLossAccepted, by: "Binding the vault to this device")
    let entry = AuditEntry.event(.classKeysRotated, rule: "bound to this device")
    try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
      try home.vault.bindToThisDevice(provenBy: proof, sealed: sealed, now: Clock.milliseconds)
    }
    return try bound(isChanged: true, lost: try takeAwayKeyless())
  }

  /// Makes a new device secret and new keys for the classes of this device, which stay bound to it. Nothing is lost.
  private func renewDeviceSecret(
    _ request: SlotBind.Request, _ call: OperationCall, sealed: Bool
  ) throws -> SlotBind.Response {
    if request.isPlan {
      var plan = BindingPlan()
      plan.isNeeded = true
      return .plan(plan)
    }
    let proofs = try call.proofs()
    for proof in proofs { try home.sessionLock.verify(proof) }
    let entry = AuditEntry.event(.classKeysRotated, rule: sealed ? "bound to a TPM" : "bound without a TPM")
    do {
      try shownStep(proofs[0], saying: entry) { () throws(KeyStoreError) in  // never empty
        try home.vault.renewDeviceSecret(sealed: sealed, provenBy: proofs, now: Clock.milliseconds)
      }
    } catch {
      // Nothing is sealed so far, so no other device can be needed.
      if case .file = try binding(), OperationError(error) == OperationError(DeviceSealError.noChip) {
        throw OperationError.noChipHere
      }
      throw error
    }
    return try bound(isChanged: true)
  }

  private func bound(isChanged: Bool, lost: [Identity] = []) throws -> SlotBind.Response {
    var response = SlotBind.Response()
    var done = BindingResult()
    (done.isChanged, done.lost, done.binding) = (isChanged, lost.map(\.name), try binding().words)
    response.done = done
    return response
  }

  /// What binds them now.
  func binding() throws -> DeviceBinding { try home.vault.deviceBinding }

  private func inUse(_ classes: [ProtectionClass]) throws -> [ProtectionClass] {
    try classes.filter { try !home.vault.counts(of: [$0]).isEmpty }
  }
}

extension SlotBind.Response {
  fileprivate static func plan(_ plan: BindingPlan) -> Self {
    var response = Self()
    response.plan = plan
    return response
  }
}
