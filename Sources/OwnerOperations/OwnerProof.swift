import Identities
import OwnerAPI
import OwnerWords
import Signer
import Vault

/// The credential that an operation needs, because its identities or a running signer require it.
extension Operations {
  /// Unwraps the keys of presence classes for one use, if any of the given classes needs it.
  func presence(_ call: OperationCall, isNeededFor classes: [ProtectionClass]) throws -> HeldPresence? {
    guard classes.contains(where: \.needsPresence) else { return nil }
    guard !home.sessionLock.isShut else { throw OperationError.unlockFirst }
    return HeldPresence(try home.sessionLock.present(try call.proof()))
  }

  /// Refuses a change that allows apps more while the signer is locked: whoever makes it has shown no credential, and the change would be in
  /// force after the next unlocking.
  func allowMore() throws(OperationError) {
    if home.sessionLock.isLocked { throw .onlyTightening }
  }

  /// Refuses a new app in a lockdown, as the console does, also once the keys are unlocked.
  func allowPairing() throws(OperationError) {
    try allowMore()
    if home.sessionLock.isSuspended { throw .noPairingInLockdown }
  }

  /// Checks the credential for something that cannot be undone. A plan of it needs none; a passphrase that comes with the plan is checked,
  /// so that a wrong one is noticed before the owner is asked.
  func prove(_ call: OperationCall, orPlan isPlan: Bool, with credential: Credential) throws {
    if !isPlan || credential.passphrase != nil { try home.sessionLock.verify(call.proof()) }
  }

  /// Checks the owner's credential if a signer runs. Without one, the vault was just opened with a credential.
  func prove(_ call: OperationCall) throws {
    if running != nil { try home.sessionLock.verify(call.credential()) }
  }
}
