package import AuditLog
import Identities
package import Unlocking
package import Vault

/// What the opened home cannot do. Sentences for people are made where they are shown.
package enum SignerError: Error, Sendable {
  case vault(VaultError)
  case log(AuditLogError)
  /// What the owner showed does not open the vault.
  case notOpened(OpeningError)
  /// The change could not be written to the vault; nothing was changed.
  case notStored
  /// Nothing was changed, because the log cannot record it.
  case notRecordable(AuditLogError)
  /// The session is locked, or the log's last entries could not be read yet.
  case locked
  /// The session was locked again while it was being unlocked.
  case lockedMeanwhile
  /// What was shown opens only what is open already.
  case keysStayLocked
  /// Every program of the owner's can read the keyring.
  case keyringIsNoProof
  /// The vault is not the one that the log knows. `missing` tells what an older one lacks, where the log can be read.
  case otherVault(RollbackFinding, missing: String?)
  /// Wrong passphrases were tried on another copy of this vault; everything is shut.
  case triedElsewhere(ForgottenAttempts)
  /// The log is not what was written.
  case logChanged(AuditIntegrityError)
  case checkpointUnreadable(path: String, why: String)
  /// The log is not what the checkpoint says; everything is shut.
  case checkpointDiffers(path: String, sentence: String)
  /// An error of another module.
  case other(any Error)

  /// Any error of a step that touches the vault or the log.
  package init(_ error: any Error) {
    switch error {
    case let error as SignerError: self = error
    case let error as VaultError: self = .vault(error)
    case IdentityError.vault(let error): self = .vault(error)
    case let error as AuditLogError: self = .log(error)
    default: self = .other(error)
    }
  }

  /// Whether records of the vault are not what was written.
  package var isDamage: Bool {
    if case .vault(.corrupt) = self { true } else { false }
  }
}

/// Why what the owner showed did not open the vault, with what was shown.
package struct OpeningError: Sendable {
  package let error: KeyStoreError
  package let type: SlotType
  /// No slot of the vault is for the token that was named.
  package var isTokenForNoSlot = false
  /// The name of the token that refused the PIN.
  package var refusingToken: String?
  /// Tokens that are not there.
  package var absences: [TokenAbsence] = []

  package init(_ error: KeyStoreError, by opener: any SlotOpener) {
    (self.error, type) = (error, opener.type)
    guard let token = opener as? TokenOpener else { return }
    (isTokenForNoSlot, refusingToken, absences) = (token.isForNoSlot, token.refusing?.name, token.absences)
  }
}
