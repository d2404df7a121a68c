import AuditLog
import Ciphers
import Encodings
import Identities
import JSON
import Platform
package import SecretMemory
package import Signer
package import Vault

/// The credential that opens a backup.
package enum BackupProof {
  case passphrase(SecretBox)
  /// The secret of a recovery kit.
  case recovery(RecoveryOpener)
  /// Another credential, such as a token.
  case other(any SlotOpener)

  package var opener: any SlotOpener {
    switch self {
    case .passphrase(let secret): PassphraseOpener(secret)
    case .recovery(let opener): opener
    case .other(let opener): opener
    }
  }
}

extension Opening {
  /// Reports how much of a restore or a check is done. If it returns false, the work ends.
  package typealias Progress = (_ done: UInt64, _ of: UInt64) -> Bool

  package static func open(_ file: BackupFile, _ proof: BackupProof) throws -> OpenedBackup { try open(file, proof.opener) }

  /// The same with an opener, which knows afterwards what a token said.
  package static func open(_ file: BackupFile, _ opener: any SlotOpener) throws -> OpenedBackup {
    do throws(BackupError) { return try file.open(with: opener) } catch {
      switch error {
      // No slot of the backup is for this credential: a recovery kit, for example, that was made after the backup.
      case .opener(.authenticationFailed), .opener(.vault(.noSuchSlot)), .vault(.noSuchSlot):
        throw BackupsError.opensNothing(slots: file.slots.map(\.type))
      case .opener(let error): throw BackupsError.notOpened(error, by: opener.type)
      default: throw error
      }
    }
  }

  static func beginLog(of restoration: Restoration) throws {
    let log = try log(Home(restoration.path, kinds: restoration.vault.kinds), restoration.vault, now: Clock.milliseconds)
    log.followVault()
    defer { log.close() }
    var entry = AuditEntry.event(
      .backupRestored,
      rule: BackupReason.restored(made: restoration.summary.madeAt / 1000, number: restoration.summary.number))
    entry.amount = Int64(clamping: restoration.summary.number)
    _ = try log.appendAndWait(entry)
    if let anchor = log.anchor() { LogRecords.save(anchor, in: restoration.vault) }
  }

  /// Whoever restores with shares has lost the passphrase, or fears that somebody knows it. So none of the old passphrases stays.
  static func replacePassphrases(
    _ vault: Vault, _ proof: BackupProof, _ new: SecretBox, _ cost: Argon2id.Cost
  ) throws {
    let old = try vault.slots.filter { $0.type == .passphrase }.map(\.id)
    let enrolment = try SlotEnrolment.passphrase(new.duplicate(), cost: cost)
    if case .passphrase(let secret) = proof {
      try vault.changePassphrase(shown: PassphraseOpener(secret), to: enrolment, now: Clock.milliseconds)
      return
    }
    _ = try vault.addSlot(enrolment, label: "", provenBy: proof.opener, now: Clock.milliseconds)
    for id in old { try vault.removeSlot(id, now: Clock.milliseconds) }
  }
}
