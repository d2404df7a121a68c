package import AuditLog
import Identities
package import Unlocking
package import Vault

/// Errors of the opened home. Sentences for people are made where they are shown.
package enum SignerError: Error, Sendable {
  case vault(VaultError)
  case log(AuditLogError)
  /// The owner's credential does not open the vault.
  case notOpened(OpeningError)
  /// The change could not be written to the vault. Nothing was changed.
  case notStored
  /// Nothing was changed, because the log cannot record it.
  case notRecordable(AuditLogError)
  /// The session is locked, or the log's last entries could not be read yet.
  case locked
  /// The session was locked again during the unlock.
  case lockedMeanwhile
  /// The credential opens only what is already open.
  case keysStayLocked
  /// The keyring is not a proof, because every program of the owner's can read it.
  case keyringIsNoProof
  /// The vault is not the one that the log knows. `missing` says what an older vault lacks, if the log can be read.
  case otherVault(RollbackFinding, missing: String?)
  /// Wrong passphrases were tried on another copy of this vault. Everything is suspended.
  case triedElsewhere(ForgottenAttempts)
  /// The log is not what was written.
  case logChanged(AuditIntegrityError)
  case checkpointUnreadable(path: String, why: String)
  /// The log does not match the checkpoint. Everything is suspended.
  case checkpointDiffers(path: String, sentence: String)
  /// An error of another module.
  case other(any Error)

  /// Any error of a step that uses the vault or the log.
  package init(_ error: any Error) {
    switch error {
    case let error as SignerError: self = error
    case let error as VaultError: self = .vault(error)
    case IdentityError.vault(let error): self = .vault(error)
    case let error as AuditLogError: self = .log(error)
    default: self = .other(error)
    }
  }

  /// Whether records of the vault are damaged.
  package var isDamage: Bool {
    if case .vault(.corrupt) = self { true } else { false }
  }
}

/// Why the owner's credential did not open the vault, and which type it was.
package struct OpeningError: Sendable {
  package let error: KeyStoreError
  package let type: SlotType
  /// No slot of the vault belongs to the token that was named.
  package var isTokenForNoSlot = false
  /// The name of the token that refused the PIN.
  package var refusingToken: String?
  /// Tokens that are missing.
  package var absences: [TokenAbsence] = []

  package init(_ error: KeyStoreError, by opener: any SlotOpener) {
    (self.error, type) = (error, opener.type)
    guard let token = opener as? TokenOpener else { return }
    (isTokenForNoSlot, refusingToken, absences) = (token.isForNoSlot, token.refusing?.name, token.absences)
  }
}
