package import OwnerAPI

/// What the lock of the session, a lockdown or a trial does not allow.
extension OperationError {
  package static let nothingUnlocked = OperationError(
    .failed, "No signer runs on this home, so there is nothing to lock or unlock.", hint: "Start it: holdfast up")
  package static func stopFirst(_ command: String) -> OperationError {
    OperationError(.failed, "A signer runs on this home.", hint: "Stop it, then run: \(command)")
  }
  package static let trialIsNeverLocked = OperationError(
    .failed, "A trial is never locked: nobody knows its passphrase, so it could not be unlocked.", hint: keepFirst)
  package static let trialHasNoPassphrase = OperationError(
    .failed, "This needs the vault's passphrase, and nobody knows that of a trial.", hint: keepFirst)
  private static let keepFirst = "Keep the trial in a vault of your own first: holdfast keep"
  package static let unlockFirst = OperationError(.locked, "The signer is locked.", hint: "Unlock it first: holdfast unlock")
    .wantingUnlocking(true)
  package static let onlyTightening = OperationError(
    .locked, "The signer is locked. Until you unlock it, apps can only be allowed less, not more.",
    hint: "Unlock it first: holdfast unlock"
  ).wantingUnlocking(true)
  package static let lockedDown = OperationError(
    .locked, "The signer is locked down.",
    hint: "To see what happened: holdfast unlock, then holdfast log show. To end the lockdown: holdfast resume")
  package static let noPairingInLockdown = OperationError(
    .locked, "The signer is locked down, so no app can be paired.", hint: "To end the lockdown: holdfast resume")
  package static let logLocked = OperationError(
    .locked, "The log cannot be read while the signer is locked.", hint: "Unlock it: holdfast unlock")
}
