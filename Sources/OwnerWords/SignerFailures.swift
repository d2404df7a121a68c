import AuditLog
package import OwnerAPI
package import Signer
import Vault

extension OperationError {
  /// What the opened home cannot do, as sentences.
  package init(_ error: SignerError) {
    switch error {
    case .vault(let error): self.init(error)
    case .log(let error): self.init(error)
    case .notOpened(let failure): self.init(failure)
    case .other(let error): self.init(error)
    case .notStored: self = .notStored
    case .notRecordable(let error):
      let failure = OperationError(error)
      self.init(failure.exit, "Nothing was changed, because the log cannot record it. " + failure.error, hint: failure.hint)
    case .locked: self = .unlockFirst
    case .lockedMeanwhile:
      self.init(.locked, "The signer was locked while it was being unlocked.", hint: "See: holdfast status")
    case .keysStayLocked:
      self.init(
        .denied, "This opens only pairings and settings, which are open already. Your keys stay locked.",
        hint: "Unlock them with the passphrase, a token or the recovery kit.")
    case .keyringIsNoProof: self = .keyringIsNoProof
    case .otherVault(let found, let missing):
      self.init(
        .locked, found.text(missing: missing),
        hint:
          "Restore the newer vault.db (with its -wal file, if any). Or see 'holdfast vault check', then: holdfast vault accept")
    case .triedElsewhere(let tried):
      self.init(.locked, tried.sentence + " The signer is locked down.", hint: "To end the lockdown: holdfast resume")
    case .logChanged(let fault):
      self.init(
        .failed, "The log is not as it was written: \(fault.sentence). The signer stays locked down.",
        hint:
          "Make a copy of the folder and stop the signer. Restore the folder “log” from a good copy, or begin a new log: holdfast log renew"
      )
    case .checkpointUnreadable(let path, let why):
      self.init(
        .failed, "The checkpoint “\(path)” could not be read: \(why).",
        hint: "Check that its disk is mounted. If the disk is gone, start without --checkpoint.")
    case .checkpointDiffers(let path, let sentence):
      self.init(.locked, sentence + " Nothing is signed.", hint: CheckpointFile.advice(path))
    }
  }

  package static let keyringIsNoProof = OperationError(
    .denied, "The keyring does not prove that it is you, because every program of yours can read it.",
    hint: "Give the passphrase, a token or the recovery kit.")
}

extension SessionLock.Shutting.Failure {
  /// One sentence for the owner.
  package var sentence: String {
    switch self {
    case .useUnderWay: "A key is still in use. It is wiped from memory when that use ends."
    case .vaultDamaged:
      "The vault is damaged and cannot be written. Somebody who repairs it and removes the file “suspended” can end the lockdown with a restart."
    case .notStored(let fault): "The lockdown could not be stored, so a restart ends it. \(OperationError(fault).error)"
    case .notRecorded(let error): "The log could not record it. \(OperationError(error).error)"
    case .logBusy: "The log is busy and has not recorded it yet."
    }
  }
}

extension CheckpointFile {
  /// What to do if the log does not match the checkpoint.
  package static func advice(_ path: String) -> String {
    "Restore the newer home. To continue with this one, move “\(path)” away, then: holdfast up, holdfast resume"
  }
}
