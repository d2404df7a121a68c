internal import AuditLog
internal import JSON
internal import OwnerAPI
internal import Platform
internal import Signer
internal import Vault

/// `slot/bind`: what binds the classes of this device to it.
extension Operations {
  /// The classes of this device are bound to the device this is, after the home came from another one, or lost its `device.key`. What
  /// was kept under them cannot be opened here, and goes. With the member `tpm` also where they are this device's already: true has
  /// the TPM seal a new device secret, false makes a plain one.
  func bindToThisDevice(_ given: Parameters) throws -> JSONValue {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    let isNeeded = try core.vault.isOfAnotherDevice
    let sealed = given["tpm"]?.bool
    if !isNeeded, let sealed { return try renewDeviceSecret(given, sealed: sealed) }
    let loss = try SlotLoss(of: isNeeded ? inUse(ProtectionClass.allCases.filter(\.isThisDeviceOnly)) : [], in: core)
    if given["plan"]?.bool == true {
      return ["needed": .bool(isNeeded), "lost": loss.json, "loses": loss.isEmpty ? .null : .string(loss.sentence)]
    }
    let proof = try given.proof()
    try core.sessionLock.verify(proof)
    guard isNeeded else { return ["bound": true, "changed": false, "lost": [], "binding": .string(try binding().words)] }
    if case .closed(let fault) = try binding(), fault.mayPass, sealed == nil { throw OperationError(fault) }
    try loss.checkAccepted(given, by: "Binding the vault to this device")
    let entry = AuditEntry.event(.classKeysRotated, rule: "bound to this device")
    try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
      try core.vault.bindToThisDevice(provenBy: proof, sealed: sealed, now: Clock.milliseconds)
    }
    let lost = Self.names(of: try takeAwayKeyless())
    return ["bound": true, "changed": true, "lost": lost, "binding": .string(try binding().words)]
  }

  /// Another device secret and other keys for the classes of this device, which stay this device's: nothing is lost.
  private func renewDeviceSecret(_ given: Parameters, sealed: Bool) throws -> JSONValue {
    if given["plan"]?.bool == true { return ["needed": true, "lost": [], "loses": .null] }
    let proofs = try given.proofs()
    for proof in proofs { try core.sessionLock.verify(proof) }
    let entry = AuditEntry.event(.classKeysRotated, rule: sealed ? "bound to a TPM" : "bound without a TPM")
    do {
      try shownStep(proofs[0], saying: entry) { () throws(KeyStoreError) in  // never empty
        try core.vault.renewDeviceSecret(sealed: sealed, provenBy: proofs, now: Clock.milliseconds)
      }
    } catch {
      // Nothing is sealed so far, so nothing is out of reach.
      if case .file = try binding(), OperationError(error) == OperationError(DeviceSealError.noChip) {
        throw OperationError.noChipHere
      }
      throw error
    }
    return ["bound": true, "changed": true, "lost": [], "binding": .string(try binding().words)]
  }

  /// What binds them now.
  func binding() throws -> DeviceBinding { try core.vault.deviceBinding }

  private func inUse(_ classes: [ProtectionClass]) throws -> [ProtectionClass] {
    try classes.filter { try !core.vault.counts(of: [$0]).isEmpty }
  }
}
