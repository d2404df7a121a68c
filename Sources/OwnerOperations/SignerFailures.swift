import AuditLog
import OwnerAPI
import Signer
import Vault

extension OperationError {
  /// What the opened home cannot do, in words.
  init(_ error: SignerError) {
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
        .denied, "What you showed opens pairings and settings only, which are open already; your keys stay locked.",
        hint: "Unlock them with the passphrase, a token or the recovery kit.")
    case .keyringIsNoProof: self = .keyringIsNoProof
    case .otherVault(let found, let missing):
      self.init(
        .locked, found.text(missing: missing),
        hint:
          "Put the newer vault.db back (with its -wal file, if any); or see 'holdfast vault check', then: holdfast vault accept")
    case .triedElsewhere(let tried):
      self.init(.locked, tried.sentence + " Everything is shut.", hint: "To go on: holdfast resume")
    case .logChanged(let fault):
      self.init(
        .failed, "The record is not what was written: \(fault.sentence). Everything stays shut.",
        hint: "Keep a copy of the folder and stop the signer. Put back the folder “log” from a copy, or: holdfast log renew")
    case .checkpointUnreadable(let path, let why):
      self.init(
        .failed, "The checkpoint “\(path)” cannot be read: \(why).",
        hint: "Is its disk there? Without it, start without --checkpoint.")
    case .checkpointDiffers(let path, let sentence):
      self.init(.locked, sentence + " Nothing is signed.", hint: CheckpointFile.advice(path))
    }
  }

  static let keyringIsNoProof = OperationError(
    .denied, "The keyring does not prove that this is you: every program of yours can read it.",
    hint: "Show the passphrase, a token or the recovery kit.")
}

extension SessionLock.Shutting.Failure {
  /// One sentence for the owner.
  var sentence: String {
    switch self {
    case .useUnderWay: "A use of a key is still under way; it wipes its key as it ends."
    case .vaultDamaged:
      "The vault is damaged and takes nothing: whoever undoes the damage and removes the file “suspended” ends this with a restart."
    case .notStored(let fault): "The suspension could not be stored, so a restart ends it. \(OperationError(fault).error)"
    case .notRecorded(let error): "It could not be recorded. \(OperationError(error).error)"
    case .logBusy: "It is not recorded yet: the log is busy."
    }
  }
}

extension CheckpointFile {
  /// What to do when the log is not what the checkpoint says.
  package static func advice(_ path: String) -> String {
    "Put the newer home back. To go on with this one, move “\(path)” away, then: holdfast up, holdfast resume"
  }
}
