import Identities
import OwnerAPI
import Signer
import Vault

/// What the owner has to show for an operation, where its identities or a running signer ask for it.
extension Operations {
  /// Unwraps the keys of presence classes for one use, if any of these needs it.
  func presence(_ call: OperationCall, isNeededFor classes: [ProtectionClass]) throws -> HeldPresence? {
    guard classes.contains(where: \.needsPresence) else { return nil }
    guard !home.sessionLock.isShut else { throw OperationError.unlockFirst }
    return HeldPresence(try home.sessionLock.present(try call.proof()))
  }

  /// Checks that this is the owner, where a running signer is asked. Without one, the vault was opened with the passphrase just now.
  func prove(_ call: OperationCall) throws {
    if running != nil { try home.sessionLock.verify(call.credential()) }
  }
}
